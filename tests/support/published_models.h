#pragma once

#include <array>

namespace assay::test {

/// Models of CIFAR-10 with the rate at which people took their pictures for real ones, and metrics in the embedding of
/// DINOv2: Stein et al., "Exposing flaws of generative model evaluation metrics and their unfair treatment of diffusion
/// models", NeurIPS 2023, table 11.
struct PublishedModel {
    const char* name;
    double humanErrorRate;
    double frechetDistance;
    double precision;
    double recall;
    double density;
    double coverage;
    double authentic; ///< per cent
};

inline constexpr std::array<PublishedModel, 13> kPublishedModels{{
    {"RESFLOW", 0.09, 1301.38, 0.87, 0.01, 1.91, 0.05, 76.72},
    {"ACGAN", 0.15, 1208.26, 0.84, 0.01, 2.06, 0.07, 82.38},
    {"WGAN-GP", 0.17, 1088.56, 0.82, 0.04, 1.60, 0.08, 87.45},
    {"NVAE", 0.13, 921.34, 0.76, 0.27, 1.27, 0.11, 86.91},
    {"LOGAN", 0.21, 881.73, 0.71, 0.25, 0.98, 0.12, 91.51},
    {"MHGAN", 0.34, 358.07, 0.70, 0.47, 0.69, 0.41, 93.56},
    {"ReACGAN", 0.34, 353.25, 0.68, 0.46, 0.66, 0.42, 93.49},
    {"BigGAN", 0.39, 326.66, 0.69, 0.44, 0.66, 0.44, 94.04},
    {"StyleGAN2-ada", 0.39, 305.92, 0.71, 0.51, 0.70, 0.52, 93.22},
    {"iDDPM-DDIM", 0.40, 212.30, 0.74, 0.66, 0.78, 0.64, 92.13},
    {"StyleGAN-XL", 0.40, 204.60, 0.72, 0.55, 0.69, 0.60, 93.03},
    {"LSGM-ODE", 0.44, 148.27, 0.74, 0.74, 0.76, 0.71, 91.56},
    {"PFGM++", 0.44, 141.65, 0.75, 0.71, 0.80, 0.72, 91.96},
}};

} // namespace assay::test
