#include "posenc/analysis/wavelengths.h"

#include <numbers>

#include "arguments.h"
#include "posenc/encoding/sinusoidal.h"

namespace posenc {

Result<PairPhasors> pair_phasors(std::int64_t d_model, double base, std::int64_t position) {
  if (Status status = analysis::check_code(d_model, max_dim, base); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("position", position, 0, max_position); !status.ok()) {
    return status.error();
  }
  PairPhasors phasors;
  phasors.has_lone_sine = d_model % 2 == 1;
  const VectorD divisors = angle_divisors(d_model, base);
  phasors.frequency = divisors.cwiseInverse();
  phasors.wavelength = 2 * std::numbers::pi * divisors;
  phasors.angle = static_cast<double>(position) / divisors.array();
  phasors.sine = phasors.angle.array().sin();
  phasors.cosine = phasors.angle.array().cos();
  return phasors;
}

}  // namespace posenc
