#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace assay::bench {

/// Laws that bench_verdicts draws samples from: continuous ones of any dimension, then those whose distances tie, of a
/// dimension of their own.
enum class Law {
    Gaussian,
    Mixture,
    StudentT,
    Questions,
    FewQuestions,
    Flags,
    ManyFlags,
    Counts,
    Rounded,
    Mixed,
    NearlyTied,
    PianoRoll
};

constexpr std::array kContinuousLaws{Law::Gaussian, Law::Mixture, Law::StudentT};
constexpr std::array kTiedLaws{Law::Questions, Law::FewQuestions, Law::Flags,      Law::ManyFlags, Law::Counts,
                               Law::Rounded,   Law::Mixed,        Law::NearlyTied, Law::PianoRoll};

/// Name in the tables.
const char* nameOf(Law law);
bool isTied(Law law);
/// Dimension of a tied law.
std::size_t dimensionOf(Law law);

/// Draws good and bad samples of one law.
class VerdictSource {
public:
    /// @param dim of a continuous law; others have their own
    VerdictSource(Law law, std::size_t dim, unsigned seed);

    std::size_t dim() const noexcept { return dim_; }
    /// Appends a good sample.
    void append(std::vector<float>& values);
    /// A sample that does not occur: far Gaussian noise; two answers to a question or none; flags, counts and keys at
    /// random.
    void appendNoise(std::vector<float>& values);
    /// A collapsed mode: around one point, a hundredth as wide as a Gaussian set; where distances tie, one and the same
    /// sample, drawn at first.
    void appendCollapsed(std::vector<float>& values);
    /// A copy of a sample of `of`, with noise of a thousandth; without noise where distances tie.
    void appendCopy(const std::vector<float>& of, std::vector<float>& values);

private:
    void appendContinuous(std::vector<float>& values);
    void appendQuestions(std::size_t questions, std::size_t answers, std::vector<float>& values);
    void appendFlags(double share, std::vector<float>& values);
    void appendPianoRoll(std::vector<float>& values);

    Law law_;
    std::size_t dim_;
    std::mt19937 random_;
    std::normal_distribution<float> normal_;
    std::chi_squared_distribution<float> chiSquared_{3.0F};
    std::uniform_int_distribution<int> mode_{0, 4};
    std::vector<float> collapsed_; ///< the one sample of a collapsed mode
};

} // namespace assay::bench
