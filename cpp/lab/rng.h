// The training code's way to the generator, which itself lives in the bottom layer because
// encodings and attention are seeded too and must not depend on training.
#pragma once

#include "random/rng.h"
