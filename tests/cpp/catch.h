// Catch2 of either generation: the headers were split, and Approx moved, in version 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#elif __has_include(<catch2/catch_amalgamated.hpp>)
#include <catch2/catch_amalgamated.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
