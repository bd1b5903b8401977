#include "engine/audit/run/memory_need.h"

#include "engine/base/error.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

namespace assay {
namespace {

constexpr std::size_t kNeighborBytes = sizeof(double) + sizeof(std::uint32_t); // of one entry of a table
constexpr std::size_t kRowBytes = 96;                        // bounds, limits and counters of one row in a pass
constexpr std::size_t kScalarBytes = std::size_t{5} * 8;     // radii and counts of one row that stay
constexpr std::size_t kCandidateBytes = 8;                   // engine/neighbors/products/candidates.h
constexpr std::size_t kListsAtMost = std::size_t{256} << 20; // engine/neighbors/products/product_trial.h
constexpr std::size_t kShortestList = 64;                    // beyond k
constexpr std::size_t kBytesPerWeight = 4 + 2 * 8 + 16 * 4;  // engine/metrics/one_class/one_class_training.h
constexpr std::size_t kFixed = std::size_t{48} << 20;        // libraries, tiles of every thread

} // namespace

std::size_t ownNeighbors(const AuditOptions& options, std::size_t available) {
    // One beyond the ball tells that its members are all listed; covers and verdicts are of the whole catalogue.
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.neighbors(), kDensityNeighbors);
    return std::min(std::max({options.storedNeighbors, options.k + 1, catalog}), available);
}

std::size_t crossNeighbors(const AuditOptions& options, std::size_t available) {
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.k, kDensityNeighbors);
    return std::min(std::max({options.storedNeighbors, options.k, catalog}), available);
}

MemoryNeed memoryNeed(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options) {
    MemoryNeed need;
    const std::size_t rows = real.rows();
    const std::size_t dim = real.dim();
    const std::size_t columnBytes = columnCatalog().size() * sizeof(double);
    const auto ownBytes = [&](std::size_t count) { return count * ownNeighbors(options, count) * kNeighborBytes; };
    const auto crossBytes = [&](std::size_t queries, std::size_t base) {
        return queries * crossNeighbors(options, base) * kNeighborBytes;
    };
    need.results = rows * kScalarBytes + ownBytes(rows) + kFixed;
    if (options.oneClass) // the network, its optimiser's means and a gradient per stripe of rows
        need.results += OneClassNetwork::weightCount(dim) * kBytesPerWeight;
    // The metrics of the embeddings themselves come after the passes, with the passes' memory given back.
    const RowScoresNeed realRows = rowScoresNeed(rows, dim);
    need.results += realRows.kept;
    need.working = realRows.working;
    need.lean = realRows.working;
    for (const AuditModel& model : models) {
        const RowScoresNeed syntheticRows = rowScoresNeed(model.set->rows(), dim);
        need.working = std::max(need.working, syntheticRows.kept + syntheticRows.working);
        need.lean = std::max(need.lean, syntheticRows.kept + syntheticRows.working);
        const std::size_t others = model.set->rows();
        const std::size_t k = ownNeighbors(options, std::max(rows, others));
        need.results += ownBytes(others) + crossBytes(others, rows) + crossBytes(rows, others) +
                        (rows + others) * (kScalarBytes + columnBytes);
        const std::size_t both = rows + others;
        const std::size_t lists = std::max(kListsAtMost, both * 3 * k * kCandidateBytes);
        // Both sets in the one-class embedding, which is searched in turn.
        const std::size_t images = options.oneClass ? both * dim * sizeof(float) : 0;
        need.working = std::max(need.working, images + both * (dim * sizeof(float) + kRowBytes) + lists);
        need.lean = std::max(need.lean, images + both * (dim + kRowBytes + (k + kShortestList) * kCandidateBytes));
    }
    return need;
}

AuditOptions withinMemory(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options,
                          std::size_t atOtherTimes) {
    const bool given = options.memoryLimit > 0;
    const std::size_t limit = given ? options.memoryLimit : availableMemory();
    MemoryNeed need = memoryNeed(real, models, options);
    need.working = std::max(need.working, atOtherTimes);
    need.lean = std::max(need.lean, atOtherTimes);
    AuditOptions fitted = options;
    if (limit == 0 || need.atFullSpeed() <= limit)
        return fitted;
    fitted.lean = true;
    if (need.atLeast() <= limit)
        return fitted;
    throw Error(ErrorKind::NotEnoughMemory,
                "an audit of " + std::to_string(real.rows()) + " real rows and " + std::to_string(models.size()) +
                    (models.size() == 1 ? " synthetic set needs " : " synthetic sets needs ") + "up to " +
                    bytesText(need.atLeast()) + " beyond its inputs, found " + bytesText(limit) +
                    (given ? " allowed" : " free on this machine"));
}

std::size_t parseBytes(const std::string& text) {
    const auto refuse = [&] {
        return Error(ErrorKind::InvalidArgument,
                     "expected a number of bytes such as 800M, 4G or 1.5GiB, found '" + text + "'");
    };
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, value);
    if (failure != std::errc() || !std::isfinite(value) || value < 0.0)
        throw refuse();
    std::string unit(rest, end);
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
    if (unit.ends_with("ib"))
        unit.resize(unit.size() - 2);
    else if (unit.ends_with("b"))
        unit.resize(unit.size() - 1);
    constexpr std::string_view kPrefixes = "kmgt";
    const std::size_t power = unit.empty() ? 0 : kPrefixes.find(unit) + 1; // npos + 1 is 0
    if (unit.size() > 1 || (!unit.empty() && power == 0))
        throw refuse();
    const double bytes = value * std::pow(1024.0, static_cast<double>(power));
    if (bytes < 1.0 || bytes > 0x1p62)
        throw refuse();
    return static_cast<std::size_t>(bytes);
}

} // namespace assay
