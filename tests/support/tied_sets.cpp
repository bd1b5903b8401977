#include "tests/support/tied_sets.h"

#include <algorithm>
#include <random>

namespace assay::test {
namespace {

Matrix empty(std::size_t dim) {
    return {{}, 0, dim};
}

void appendRow(Matrix& to, const std::vector<float>& row) {
    to.values.insert(to.values.end(), row.begin(), row.end());
    ++to.rows;
}

/// Codes of six columns that only occur where their sum is even, or only where it is odd.
Matrix codes(std::size_t rows, bool odd, unsigned seed) {
    std::mt19937 random(seed);
    std::bernoulli_distribution coin;
    Matrix made = empty(6);
    while (made.rows < rows) {
        std::vector<float> row(6);
        std::ranges::generate(row, [&] { return coin(random) ? 1.0F : 0.0F; });
        if ((std::ranges::count(row, 1.0F) % 2 == 1) == odd)
            appendRow(made, row);
    }
    return made;
}

} // namespace

Matrix oneHot(std::size_t rows, std::size_t questions, std::size_t answers, unsigned seed) {
    std::mt19937 random(seed);
    std::geometric_distribution<std::size_t> answer(0.35);
    std::bernoulli_distribution agrees(0.5);
    Matrix made = empty(questions * answers);
    for (std::size_t r = 0; r < rows; ++r) {
        std::vector<float> row(made.dim, 0.0F);
        std::size_t given = 0;
        for (std::size_t q = 0; q < questions; ++q) {
            given = q > 0 && agrees(random) ? given : std::min(answer(random), answers - 1);
            row[q * answers + given] = 1.0F;
        }
        appendRow(made, row);
    }
    return made;
}

Matrix flags(std::size_t rows, std::size_t columns, float share, unsigned seed) {
    std::mt19937 random(seed);
    std::bernoulli_distribution isSet(share);
    Matrix made{std::vector<float>(rows * columns), rows, columns};
    std::ranges::generate(made.values, [&] { return isSet(random) ? 1.0F : 0.0F; });
    return made;
}

std::vector<TiedCase> tiedCases() {
    const std::string asGood = "As good as real";
    const Matrix real = gaussian(400, 8, 1);
    const Matrix evenCodes = codes(1000, false, 21);
    const Matrix fewer = gaussian(200, 8, 31);
    return {
        {"8 questions, one law", oneHot(1000, 8, 6, 1), oneHot(1000, 8, 6, 2), asGood, {}, 0.0, 0.1},
        {"60 flags, one law", flags(800, 60, 0.1F, 3), flags(800, 60, 0.1F, 4), asGood, {}, 0.0, 0.1},
        {"3 questions, one law", oneHot(800, 3, 4, 5), oneHot(800, 3, 4, 6), asGood, {}, 0.0, 0.1},
        {"1,000 against 800 of one law", oneHot(1000, 8, 6, 9), oneHot(800, 8, 6, 10), asGood, {}, 0.0, 0.1},
        {"1 output",
         real,
         repeated(gaussian(1, 8, 11), 400),
         "It produces a single output: all 400 samples are identical.",
         {"crowded", "collapse", "shrunken", "missed"},
         1.0,
         1.0,
         0.9},
        {"5 outputs",
         real,
         repeated(gaussian(5, 8, 12), 400),
         "It produces only 5 different outputs in 400 samples.",
         {"crowded", "collapse", "shrunken", "missed"},
         1.0,
         1.0,
         0.9},
        {"16 outputs",
         real,
         repeated(gaussian(16, 8, 13), 400),
         "It produces only 16 different outputs in 400 samples.",
         {"crowded", "collapse", "shrunken", "missed"},
         1.0,
         1.0,
         0.9},
        {"one real sample, 300 times",
         gaussian(600, 16, 5),
         repeated(gaussian(1, 16, 5), 300),
         "It produces a single output: all 300 samples are identical. 100 % of its samples are copies of one real "
         "sample "
         "(0).",
         {"copy", "collapse", "missed"},
         1.0,
         1.0,
         0.9},
        {"every sample twice",
         real,
         joined(fewer, fewer),
         "100 % of its samples occur more than once; among as many real samples, 0 % do.",
         {"duplicates"},
         0.0,
         0.2},
        {"one combination at 60 %",
         evenCodes,
         joined(codes(400, false, 22), repeated(codes(1, false, 23), 600)),
         "62 % of its samples crowd together, 21 times as dense as the real data around them. 62 % of its samples "
         "fall into 1 combination of categories that only",
         {"crowded_combinations", "crowded"},
         0.62,
         1.0},
        {"what never occurs",
         evenCodes,
         codes(1000, true, 24),
         "100 % of its samples are unrealistic: far from all real ones. 100 % of its samples combine categories in "
         "ways "
         "that no real sample does.",
         {"new_combinations"},
         1.0,
         1.0,
         0.9},
    };
}

} // namespace assay::test
