#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::demo {

/// The classes of the demo, in the order of kClasses.
enum class Shape : std::uint8_t { Disc, Ring, Square, Triangle, Star, Cross, Crescent, Heart };
inline constexpr std::size_t kShapeCount = 8;

/// Mean and half-width of a bell-shaped random property (Random::bell).
struct Varied {
    double mean;
    double halfWidth;
};

/// Appearance of the pictures of one class. Hues are fractions of a full turn (0 red, 1/3 green, 2/3 blue); other
/// values are in [0, 1].
struct ClassRecipe {
    Shape shape;
    std::string_view name;
    Varied hue;
    double saturation;
    Varied lightness;
    Varied backHue;
    double backSaturation;
    Varied backLightness;
};

inline constexpr std::array<ClassRecipe, kShapeCount> kClasses{{
    {Shape::Disc, "disc", {0.050, 0.050}, 0.86, {0.57, 0.10}, {0.110, 0.06}, 0.55, {0.88, 0.10}},
    {Shape::Ring, "ring", {0.485, 0.060}, 0.66, {0.43, 0.11}, {0.150, 0.08}, 0.30, {0.86, 0.11}},
    {Shape::Square, "square", {0.600, 0.055}, 0.68, {0.52, 0.11}, {0.570, 0.08}, 0.42, {0.83, 0.12}},
    {Shape::Triangle, "triangle", {0.375, 0.070}, 0.55, {0.60, 0.11}, {0.430, 0.06}, 0.45, {0.23, 0.10}},
    {Shape::Star, "star", {0.130, 0.035}, 0.92, {0.60, 0.09}, {0.630, 0.06}, 0.48, {0.28, 0.11}},
    {Shape::Cross, "cross", {0.990, 0.035}, 0.76, {0.53, 0.10}, {0.540, 0.10}, 0.14, {0.90, 0.09}},
    {Shape::Crescent, "crescent", {0.145, 0.050}, 0.48, {0.82, 0.09}, {0.730, 0.05}, 0.44, {0.34, 0.12}},
    {Shape::Heart, "heart", {0.930, 0.045}, 0.78, {0.58, 0.10}, {0.940, 0.05}, 0.52, {0.87, 0.10}},
}};

/// Properties common to all classes: lengths in pixels of the 32 x 32 picture; kTurn is the tangent of half the
/// rotation angle.
inline constexpr Varied kCentre{0.0, 4.0};
inline constexpr Varied kRadius{10.3, 2.8};
inline constexpr Varied kTurn{0.0, 0.26};

/// Known fault of a generator.
enum class Fault : std::uint8_t {
    None,         ///< draws from the same recipe as the real pictures
    DroppedModes, ///< good pictures, but never a star, a crescent or a heart
    Copies,       ///< repeats real pictures with a little noise
    Blur,         ///< soft outlines
    Noise,        ///< 30 % of the pictures are noise
    Shrunken      ///< stays close to the average picture of each class
};

/// One generator of the demo.
struct GeneratorRecipe {
    std::string_view name;     ///< short name of the set
    std::string_view idPrefix; ///< prefix of the samples' ids
    Fault fault;
    std::size_t rows;
    std::uint64_t seed;
};

inline constexpr std::size_t kRealRows = 2000;
inline constexpr std::uint64_t kRealSeed = 1;

/// Share of noise in the pictures of a generator with Fault::Noise.
inline constexpr double kNoiseShare = 0.30;
/// Variation of the pictures with Fault::Shrunken around the class averages, relative to the real set.
inline constexpr double kShrunkenSpread = 0.4;
/// Largest difference between a copy and its original in each channel, of 255 levels.
inline constexpr int kCopyNoise = 5;
/// Smallest and largest number of passes of the 1-2-1 filter.
inline constexpr std::size_t kBlurPasses[2] = {3, 8};

/// Classes that the generator with Fault::DroppedModes never draws.
constexpr bool isDroppedClass(Shape shape) {
    return shape == Shape::Star || shape == Shape::Crescent || shape == Shape::Heart;
}

/// The seeds are arbitrary except for "mixed". Clipped density varies by about 0.02 between seeds; the seed of "mixed"
/// is chosen so that this variation does not hide the share of noise.
inline constexpr std::array<GeneratorRecipe, 6> kDemoGenerators{{
    {"faithful", "faithful", Fault::None, 2000, 2},
    {"dropped modes", "dropped", Fault::DroppedModes, 2000, 3},
    {"copycat", "copy", Fault::Copies, 1500, 4},
    {"blurry", "blurry", Fault::Blur, 1500, 5},
    {"mixed", "good", Fault::Noise, 2000, 26},
    {"shrunken", "shrunken", Fault::Shrunken, 1500, 7},
}};

} // namespace assay::demo
