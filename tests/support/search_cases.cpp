#include "tests/support/search_cases.h"

#include <algorithm>
#include <cmath>

namespace assay::test {
namespace {

Matrix withConstantColumn(Matrix matrix, std::size_t column, float value) {
    for (std::size_t r = 0; r < matrix.rows; ++r)
        matrix.values[r * matrix.dim + column] = value;
    return matrix;
}

/// Rows whose distances differ by less than single precision can tell: on a sphere about the first, but for the last
/// bit.
Matrix nearlyEqualDistances(std::size_t rows, unsigned seed) {
    Matrix matrix = gaussian(rows, 3, seed);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = matrix.values.data() + r * 3;
        const float length = r == 0 ? 0.0F : 1.0F / std::hypot(row[0], row[1], row[2]);
        for (std::size_t c = 0; c < 3; ++c)
            row[c] *= length;
    }
    return matrix;
}

/// One set with values of very different magnitude side by side.
Matrix mixedMagnitudes(std::size_t rows, unsigned seed) {
    Matrix matrix = gaussian(rows, 6, seed);
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] *= std::pow(10.0F, static_cast<float>(i % 6) * 2.0F - 6.0F);
    return matrix;
}

Matrix withOutlier(Matrix matrix) {
    matrix.values[5] = 1e6F;
    return matrix;
}

} // namespace

const std::vector<SearchCase>& searchCases() {
    static const std::vector<SearchCase> all{
        {"independent, 16 dimensions", [] { return gaussian(700, 16, 1); }, [] { return gaussian(900, 16, 2); }, 7},
        {"several tiles, 40 dimensions", [] { return gaussian(1300, 40, 3); }, [] { return gaussian(1100, 40, 4); },
         33},
        {"odd dimension 133", [] { return gaussian(300, 133, 5); }, [] { return gaussian(310, 133, 6); }, 5},
        {"one dimension", [] { return gaussian(600, 1, 7); }, [] { return gaussian(500, 1, 8); }, 9},
        {"one dimension, ties", [] { return grid(600, 1, 9, 50); }, [] { return grid(700, 1, 10, 50); }, 12},
        {"grid full of ties", [] { return grid(900, 3, 11, 4); }, [] { return grid(800, 3, 12, 4); }, 20},
        {"binary, 12 dimensions", [] { return grid(800, 12, 13, 2); }, [] { return grid(700, 12, 14, 2); }, 33},
        {"every row many times", [] { return repeated(gaussian(20, 8, 15), 800); },
         [] { return repeated(gaussian(25, 8, 15), 700); }, 32},
        {"all rows equal", [] { return repeated(gaussian(1, 5, 16), 700); },
         [] { return repeated(gaussian(1, 5, 16), 600); }, 10},
        {"copies of the real set", [] { return gaussian(600, 24, 17); }, [] { return gaussian(600, 24, 17); }, 6},
        {"k = N - 1", [] { return gaussian(70, 10, 18); }, [] { return gaussian(70, 10, 19); }, 69},
        {"k = N - 1 with ties", [] { return grid(150, 2, 20, 3); }, [] { return grid(150, 2, 21, 3); }, 149},
        {"hundreds of neighbours", [] { return gaussian(1500, 12, 80); }, [] { return gaussian(1200, 12, 81); }, 300},
        {"hundreds of neighbours with ties", [] { return grid(1500, 3, 82, 6); }, [] { return grid(1200, 3, 83, 6); },
         200},
        {"two rows", [] { return gaussian(2, 4, 22); }, [] { return gaussian(2, 4, 23); }, 1},
        {"far from the origin", [] { return shifted(gaussian(600, 20, 24), 10000.0F); },
         [] { return shifted(gaussian(600, 20, 25), 10000.0F); }, 8},
        {"huge values", [] { return scaled(gaussian(600, 7, 26), 1e30F); },
         [] { return scaled(gaussian(500, 7, 27), 1e30F); }, 6},
        {"values whose sums overflow float", [] { return shifted(scaled(grid(900, 1, 40, 700), 1e35F), 2e38F); },
         [] { return shifted(scaled(grid(800, 1, 41, 700), 1e35F), 2e38F); }, 6},
        {"tiny values", [] { return scaled(gaussian(600, 7, 28), 1e-30F); },
         [] { return scaled(gaussian(500, 7, 29), 1e-30F); }, 6},
        {"mixed magnitudes", [] { return mixedMagnitudes(600, 30); }, [] { return mixedMagnitudes(500, 31); }, 6},
        {"31 dimensions", [] { return gaussian(260, 31, 50); }, [] { return gaussian(250, 31, 51); }, 9},
        {"32 dimensions", [] { return gaussian(260, 32, 52); }, [] { return gaussian(250, 32, 53); }, 9},
        {"33 dimensions", [] { return gaussian(260, 33, 54); }, [] { return gaussian(250, 33, 55); }, 9},
        {"48 dimensions", [] { return gaussian(260, 48, 56); }, [] { return gaussian(250, 48, 57); }, 9},
        {"33 dimensions, ties", [] { return grid(260, 33, 58, 2); }, [] { return grid(250, 33, 59, 2); }, 40},
        {"one full leaf", [] { return gaussian(64, 4, 60); }, [] { return gaussian(63, 4, 61); }, 63},
        {"a leaf and one row", [] { return gaussian(65, 4, 62); }, [] { return gaussian(129, 4, 63); }, 64},
        {"k = N - 1 over several leaves", [] { return gaussian(300, 5, 64); }, [] { return gaussian(300, 5, 65); },
         299},
        {"equal rows, more than a leaf, k = N - 1", [] { return repeated(gaussian(1, 3, 66), 200); },
         [] { return repeated(gaussian(1, 3, 66), 200); }, 199},
        {"clusters of equal rows, each more than a leaf", [] { return repeated(gaussian(5, 3, 67), 1000); },
         [] { return repeated(gaussian(7, 3, 67), 900); }, 40},
        {"one axis constant", [] { return withConstantColumn(gaussian(500, 3, 68), 1, 1e20F); },
         [] { return withConstantColumn(gaussian(400, 3, 69), 1, 1e20F); }, 12},
        {"one axis constant, others tiny beside it",
         [] { return withConstantColumn(scaled(gaussian(500, 3, 70), 1e-25F), 1, 1e20F); },
         [] { return withConstantColumn(scaled(gaussian(400, 3, 71), 1e-25F), 1, 1e20F); }, 12},
        {"distances equal but for the last bits", [] { return nearlyEqualDistances(700, 72); },
         [] { return nearlyEqualDistances(600, 73); }, 33},
        {"sets far apart", [] { return gaussian(300, 6, 74); }, [] { return shifted(gaussian(300, 6, 75), 3e4F); }, 20},
        {"one set tiny, the other huge", [] { return scaled(gaussian(300, 6, 76), 1e-35F); },
         [] { return scaled(gaussian(300, 6, 77), 1e35F); }, 20},
        {"nothing but zeros", [] { return scaled(gaussian(100, 2, 78), 0.0F); },
         [] { return scaled(gaussian(90, 2, 79), 0.0F); }, 70},
        {"one far outlier", [] { return withOutlier(gaussian(600, 10, 32)); }, [] { return gaussian(500, 10, 33); }, 6},
        {"values below the normal range", [] { return scaled(gaussian(400, 7, 28), 1e-40F); },
         [] { return scaled(gaussian(300, 7, 29), 1e-40F); }, 6},
        {"a tile and one row", [] { return gaussian(257, 4, 62); }, [] { return gaussian(513, 4, 63); }, 64},
        {"k = N - 1 over several tiles", [] { return gaussian(600, 5, 64); }, [] { return gaussian(600, 5, 65); }, 599},
    };
    return all;
}

std::vector<double> clippedAtMedian(std::vector<double> radii) {
    std::vector<double> sorted = radii;
    std::sort(sorted.begin(), sorted.end());
    for (double& radius : radii)
        radius = std::min(radius, sorted[sorted.size() / 2]);
    return radii;
}

} // namespace assay::test
