#include "tests/bench/verdict_data.h"

#include <algorithm>
#include <cmath>

namespace assay::bench {
namespace {

constexpr std::size_t kQuestions = 8;
constexpr std::size_t kAnswers = 6;
constexpr std::size_t kFewQuestions = 3;
constexpr std::size_t kFewAnswers = 4;
constexpr std::size_t kFlags = 30;
constexpr std::size_t kManyFlags = 60;
constexpr std::size_t kCounts = 8;
constexpr std::size_t kRounded = 4;
constexpr std::size_t kNumbers = 4; ///< of mixed samples, beside kFewQuestions
constexpr std::size_t kSteps = 16;
constexpr std::size_t kKeys = 12;

float oneDecimal(float value) {
    return std::round(10.0F * value) / 10.0F;
}

} // namespace

const char* nameOf(Law law) {
    constexpr std::array kNames{"Gaussian",
                                "mixture",
                                "Student t, 3 degrees",
                                "8 questions of 6 answers, one-hot",
                                "3 questions of 4 answers, one-hot",
                                "30 flags",
                                "60 flags",
                                "8 counts (Poisson)",
                                "rounded to one decimal",
                                "4 numbers and 3 questions",
                                "8 questions with noise of 1e-4",
                                "piano rolls, 16 steps of 12 keys"};
    return kNames[static_cast<std::size_t>(law)];
}

bool isTied(Law law) {
    return std::ranges::find(kTiedLaws, law) != kTiedLaws.end();
}

std::size_t dimensionOf(Law law) {
    constexpr std::array kDimensions{kQuestions * kAnswers,
                                     kFewQuestions * kFewAnswers,
                                     kFlags,
                                     kManyFlags,
                                     kCounts,
                                     kRounded,
                                     kNumbers + kFewQuestions * kFewAnswers,
                                     kQuestions * kAnswers,
                                     kSteps * kKeys};
    return kDimensions[static_cast<std::size_t>(law) - kContinuousLaws.size()];
}

VerdictSource::VerdictSource(Law law, std::size_t dim, unsigned seed)
    : law_(law), dim_(isTied(law) ? dimensionOf(law) : dim), random_(seed) {}

void VerdictSource::appendContinuous(std::vector<float>& values) {
    const float scale = law_ == Law::StudentT ? std::sqrt(3.0F / chiSquared_(random_)) : 1.0F;
    const float centre = law_ == Law::Mixture ? 6.0F * static_cast<float>(mode_(random_)) : 0.0F;
    for (std::size_t c = 0; c < dim_; ++c)
        values.push_back(scale * normal_(random_) + (c == 0 ? centre : 0.0F));
}

/// Answers are the rarer the later; neighbouring questions agree half the time.
void VerdictSource::appendQuestions(std::size_t questions, std::size_t answers, std::vector<float>& values) {
    std::geometric_distribution<std::size_t> answer(0.35);
    std::bernoulli_distribution agrees(0.5);
    std::size_t before = answers;
    for (std::size_t q = 0; q < questions; ++q) {
        const bool same = before < answers && agrees(random_);
        before = same ? before : std::min(answer(random_), answers - 1);
        for (std::size_t a = 0; a < answers; ++a)
            values.push_back(a == before ? 1.0F : 0.0F);
    }
}

void VerdictSource::appendFlags(double share, std::vector<float>& values) {
    for (std::size_t c = 0; c < dim_; ++c)
        values.push_back(std::bernoulli_distribution(share)(random_) ? 1.0F : 0.0F);
}

/// One of four chords, whose keys sound at each step nine times in ten.
void VerdictSource::appendPianoRoll(std::vector<float>& values) {
    std::uniform_int_distribution<std::size_t> chord(0, 3);
    std::bernoulli_distribution sounds(0.9);
    const std::size_t root = 3 * chord(random_);
    for (std::size_t step = 0; step < kSteps; ++step)
        for (std::size_t key = 0; key < kKeys; ++key) {
            const std::size_t interval = (key + kKeys - root) % kKeys;
            const bool inChord = interval == 0 || interval == 4 || interval == 7;
            values.push_back(inChord && sounds(random_) ? 1.0F : 0.0F);
        }
}

void VerdictSource::append(std::vector<float>& values) {
    switch (law_) {
    case Law::Questions:
        return appendQuestions(kQuestions, kAnswers, values);
    case Law::FewQuestions:
        return appendQuestions(kFewQuestions, kFewAnswers, values);
    case Law::Flags:
    case Law::ManyFlags:
        return appendFlags(0.1, values);
    case Law::NearlyTied:
        appendQuestions(kQuestions, kAnswers, values);
        for (std::size_t c = values.size() - dim_; c < values.size(); ++c)
            values[c] += 1e-4F * normal_(random_);
        return;
    case Law::Counts:
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(
                static_cast<float>(std::poisson_distribution<int>(0.5 + 0.25 * static_cast<double>(c))(random_)));
        return;
    case Law::Rounded:
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(oneDecimal(normal_(random_)));
        return;
    case Law::Mixed:
        for (std::size_t c = 0; c < kNumbers; ++c)
            values.push_back(normal_(random_));
        return appendQuestions(kFewQuestions, kFewAnswers, values);
    case Law::PianoRoll:
        return appendPianoRoll(values);
    default:
        return appendContinuous(values);
    }
}

void VerdictSource::appendNoise(std::vector<float>& values) {
    switch (law_) {
    case Law::Questions:
    case Law::FewQuestions:
    case Law::Flags:
    case Law::ManyFlags:
    case Law::NearlyTied:
    case Law::PianoRoll:
        return appendFlags(0.5, values);
    case Law::Counts:
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(static_cast<float>(std::uniform_int_distribution<int>(0, 20)(random_)));
        return;
    case Law::Rounded:
    case Law::Mixed:
    default:
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(isTied(law_) ? oneDecimal(10.0F * normal_(random_)) : 10.0F * normal_(random_));
    }
}

void VerdictSource::appendCollapsed(std::vector<float>& values) {
    if (isTied(law_)) {
        if (collapsed_.empty())
            append(collapsed_);
        values.insert(values.end(), collapsed_.begin(), collapsed_.end());
        return;
    }
    for (std::size_t c = 0; c < dim_; ++c)
        values.push_back(0.5F + 0.01F * normal_(random_));
}

void VerdictSource::appendCopy(const std::vector<float>& of, std::vector<float>& values) {
    const std::size_t row = std::uniform_int_distribution<std::size_t>(0, of.size() / dim_ - 1)(random_);
    for (std::size_t c = 0; c < dim_; ++c)
        values.push_back(of[row * dim_ + c] + (isTied(law_) ? 0.0F : 1e-3F * normal_(random_)));
}

} // namespace assay::bench
