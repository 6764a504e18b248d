// Catch2 2.x only; version 3 brings its own main.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
