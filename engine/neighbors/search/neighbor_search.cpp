#include "engine/neighbors/search/neighbor_search.h"

#include "engine/base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

void requireAtMost(const char* what, std::size_t k, std::size_t rows) {
    if (k > rows)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected at most {} neighbours, one for each row, found k = {}", what, rows, k));
}

void requireRadii(const char* what, std::span<const double> radius, std::size_t rows) {
    if (!radius.empty() && radius.size() != rows)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected {} radii, one for each row, found {}", what, rows, radius.size()));
}

} // namespace

void addCounts(std::vector<std::uint32_t>& total, const std::vector<std::uint32_t>& part) {
    total.resize(std::max(total.size(), part.size()), 0);
    for (std::size_t i = 0; i < part.size(); ++i)
        total[i] += part[i];
}

std::vector<std::uint32_t> NeighborSearch::ballsHolding(MatrixView set, std::span<const std::uint32_t> centres,
                                                        std::span<const double> radius, const JobContext& job) const {
    std::vector<std::uint32_t> holding(set.rows, 0);
    // In chunks, so that the copies stay small when nearly every row is a centre.
    constexpr std::size_t kChunk = 4096;
    for (std::size_t first = 0; first < centres.size(); first += kChunk) {
        const std::size_t count = std::min(centres.size() - first, kChunk);
        const std::vector<float> copies = gatherRows(set, centres.subspan(first, count));
        const SideQuery balls{.rows = {copies.data(), count, set.dim}, .radius = radius.subspan(first, count)};
        addCounts(holding, between(balls, {set}, job).b.holding);
    }
    for (const std::uint32_t centre : centres)
        --holding[centre];
    return holding;
}

void requireNeighbors(std::size_t rows, std::size_t k) {
    if (k < 1 || k >= rows)
        throw Error(
            ErrorKind::InvalidArgument,
            fmt::format("a set of {} rows: expected k from 1 to one less than its rows, found k = {}", rows, k));
}

void requireSides(const SideQuery& a, const SideQuery& b) {
    if (a.rows.dim != b.rows.dim)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("expected sets of one dimension, found {} and {} columns", a.rows.dim, b.rows.dim));
    requireAtMost("first to second set", a.k, b.rows.rows);
    requireAtMost("second to first set", b.k, a.rows.rows);
    requireRadii("balls of the first set", a.radius, a.rows.rows);
    requireRadii("inner balls of the first set", a.innerRadius, a.rows.rows);
    requireRadii("balls of the second set", b.radius, b.rows.rows);
    requireRadii("inner balls of the second set", b.innerRadius, b.rows.rows);
}

} // namespace assay
