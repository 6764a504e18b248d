// What a run of the length lab takes, and which option is best lowered where it is too much.
#pragma once

#include "lab/options.h"
#include "types.h"

namespace posenc {

/// @param options  every one within its own bounds
/// @return an error that names the option whose lowering helps with the least loss
Status check_lab_memory(const LabOptions& options);

}  // namespace posenc
