#include "tests/engine/support/faulty_models.h"

#include <cmath>
#include <cstddef>
#include <functional>

namespace assay::test {
namespace {

using Change = std::function<float(std::size_t row, std::size_t column, float value)>;

Matrix changed(Matrix matrix, const Change& change) {
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] = change(i / matrix.dim, i % matrix.dim, matrix.values[i]);
    return matrix;
}

/// Rows of groups around centres, in turn.
Matrix slices(const Matrix& centres, std::size_t rows, unsigned seed) {
    Matrix made = repeated(centres, rows);
    const Matrix within = gaussian(rows, centres.dim, seed, 0.0F, 0.2F);
    for (std::size_t i = 0; i < made.values.size(); ++i)
        made.values[i] += within.values[i];
    return made;
}

/// Samples with noise of this deviation.
Matrix noisy(const Matrix& from, float deviation) {
    const Matrix noise = gaussian(from.rows, from.dim, 99, 0.0F, deviation);
    return changed(from, [&](std::size_t r, std::size_t c, float value) { return value + noise.view().row(r)[c]; });
}

Matrix ofUnitLength(const Matrix& matrix) {
    return changed(matrix, [&](std::size_t r, std::size_t, float value) {
        float square = 0.0F;
        for (const float one : matrix.view().row(r))
            square += one * one;
        return value / std::sqrt(square);
    });
}

/// Clusters far apart; row r is in cluster `of(r)`.
Matrix clusters(std::size_t rows, unsigned seed, const std::function<std::size_t(std::size_t)>& of) {
    return changed(gaussian(rows, 6, seed),
                   [&](std::size_t r, std::size_t c, float value) { return value + (of(r) == c ? 12.0F : 0.0F); });
}

/// One-hot columns of `answers` categories: that of row r is `of(r)`. And two numbers.
Matrix categories(std::size_t rows, unsigned seed, std::size_t answers,
                  const std::function<std::size_t(std::size_t)>& of) {
    return changed(gaussian(rows, answers + 2, seed), [&](std::size_t r, std::size_t c, float value) {
        return c < answers ? (of(r) == c ? 1.0F : 0.0F) : value;
    });
}

} // namespace

std::vector<FaultyModel> faultyModels() {
    const Matrix real = gaussian(500, 8, 1);
    const Matrix good = gaussian(500, 8, 2);
    const auto quarter = [](std::size_t r) { return r % 4; };
    const auto pair = [](std::size_t rows, unsigned seed, std::size_t shift) {
        const Matrix first = gaussian(rows, 4, seed);
        return changed(first, [&](std::size_t r, std::size_t c, float value) {
            return c == 1 ? first.view().row((r + shift) % rows)[0] + 0.5F * value : value;
        });
    };
    const auto flags = [](std::size_t rows, unsigned seed, bool together) {
        return changed(gaussian(rows, 4, seed), [&](std::size_t r, std::size_t c, float value) {
            return c > 1 ? value : static_cast<float>((c == 0 || together ? r : r / 2) % 2);
        });
    };
    const auto constant = [](const Matrix& matrix) {
        return changed(matrix, [](std::size_t, std::size_t c, float value) { return c < 2 ? 0.0F : value; });
    };
    const auto often = [](std::size_t r) { return r % 50 == 0 ? 0 : 1 + r % 2; };
    const Matrix outlying = joined(gaussian(580, 4, 4), scaled(gaussian(20, 4, 5), 6.0F));
    const Matrix patients = gaussian(40, 8, 11);
    return {
        {"frames",
         noisy(changed(gaussian(600, 8, 3),
                       [&](std::size_t r, std::size_t c, float) { return real.view().row(r / 10)[c]; }),
               0.2F),
         good},
        {"another unit", real, scaled(good, 255.0F)},
        {"a smaller unit", real, scaled(good, 0.01F)},
        {"normalised model", real, ofUnitLength(good)},
        {"normalised real set", ofUnitLength(real), good},
        {"exchanged files", real, noisy(repeated(good, 300), 0.01F), good},
        {"one output", real, repeated(gaussian(1, 8, 4), 400)},
        {"five outputs", real, repeated(gaussian(5, 8, 4), 400)},
        {"equal rows", real, joined(good, repeated(real, 60)), gaussian(300, 8, 6)},
        {"one equal row", real, joined(good, repeated(real, 1))},
        {"copies", real, joined(good, noisy(repeated(real, 300), 0.01F)), gaussian(500, 8, 6)},
        {"copies of few", real, joined(good, noisy(repeated(repeated(real, 3), 90), 0.01F))},
        {"noise", real, joined(good, scaled(gaussian(100, 8, 7), 5.0F))},
        {"a mode of its own", outlying, joined(gaussian(450, 4, 8), gaussian(150, 4, 9, 2.5F, 0.2F))},
        {"a crowd", real, joined(good, gaussian(200, 8, 10, 0.0F, 0.25F))},
        {"a lost class", real, good, {{}, 0, 0}, {"a", "b", "c", "d"}, {"a", "b", "c"}},
        {"lost classes", real, good, {{}, 0, 0}, {"a", "b", "c", "d"}, {"a", "b"}},
        {"other shares of classes",
         real,
         good,
         {{}, 0, 0},
         {"a", "b", "c", "d"},
         {"a", "a", "a", "a", "a", "b", "c", "d"}},
        {"a lost category", categories(500, 1, 4, quarter), categories(500, 2, 4, [](std::size_t r) { return r % 3; })},
        {"other shares of categories", categories(500, 1, 3, [](std::size_t r) { return r % 3; }),
         categories(500, 2, 3, [](std::size_t r) { return r % 2 == 0 ? 0 : 1 + r / 2 % 2; })},
        {"independent flags", flags(500, 1, true), flags(500, 2, false)},
        {"a crowded category", categories(500, 1, 3, often),
         categories(500, 2, 3, [](std::size_t r) { return r % 5 < 2 ? 0 : 1 + r % 2; })},
        {"features that vary in the model", constant(real), good},
        {"features that never vary", real, constant(good)},
        {"wrong labels",
         clusters(400, 1, quarter),
         clusters(400, 2, quarter),
         {{}, 0, 0},
         {"a", "b", "c", "d"},
         {"a", "c", "b", "d"}},
        {"shuffled labels",
         clusters(400, 1, quarter),
         clusters(400, 2, quarter),
         {{}, 0, 0},
         {"a", "b", "c", "d"},
         {"a", "b", "c", "d", "b", "d", "a", "c"}},
        {"a shifted feature", real,
         changed(good, [](std::size_t, std::size_t c, float value) { return c == 0 ? value + 0.8F : value; })},
        {"a wider feature", real,
         changed(good, [](std::size_t, std::size_t c, float value) { return c == 0 ? 2.0F * value : value; })},
        {"five features shifted", real,
         changed(good, [](std::size_t, std::size_t c, float value) { return c < 5 ? value + 0.6F : value; })},
        {"a lost mode", clusters(800, 1, quarter), clusters(800, 2, [](std::size_t r) { return r % 3; })},
        {"new samples of training groups",
         slices(patients, 320, 21),
         slices(joined(repeated(patients, 14), gaussian(26, 8, 12)), 320, 22),
         {{}, 0, 0},
         {},
         {},
         40,
         40},
        {"a group that is used too much",
         slices(patients, 320, 21),
         joined(slices(repeated(patients, 1), 240, 23), gaussian(240, 8, 12)),
         {{}, 0, 0},
         {},
         {},
         40,
         480},
        {"a frequent mode", clusters(800, 1, quarter),
         clusters(800, 2, [](std::size_t r) { return r % 2 == 0 ? 0 : 1 + r / 2 % 3; })},
        {"two independent features", pair(600, 1, 0), pair(600, 2, 1)},
        {"duplicates", real, repeated(gaussian(250, 8, 2), 500)},
        {"slightly wide", gaussian(1000, 8, 1), scaled(gaussian(1000, 8, 2), 1.15F)},
        {"wide", real, scaled(good, 1.5F)},
        {"very wide", real, scaled(good, 2.9F)},
        {"narrow", real, scaled(good, 0.7F)},
        {"slightly shifted", gaussian(1500, 8, 1), gaussian(1500, 8, 2, 0.4F)},
        {"good", gaussian(1000, 8, 1), gaussian(1000, 8, 2)},
        {"too slightly wide to tell", gaussian(1000, 8, 1), scaled(gaussian(1000, 8, 2), 1.04F)},
    };
}

} // namespace assay::test
