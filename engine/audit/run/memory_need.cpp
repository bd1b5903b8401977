#include "engine/audit/run/memory_need.h"

#include "engine/audit/run/stages.h"
#include "engine/base/error.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace assay {
namespace {

constexpr std::size_t kFixed = std::size_t{48} << 20; // libraries, tiles of every thread

/// Adds the memory of a set's stages: the sum of what they keep, and the largest working memory.
template <typename State>
void add(MemoryNeed& need, const AuditShape& shape, bool passed = false) {
    for (const Stage<State>& stage : stagesOf<State>()) {
        if (stage.memory == nullptr || (passed && stage.phase == Phase::Passes))
            continue;
        const StageMemory memory = stage.memory(shape);
        need.results += memory.kept;
        need.working = std::max(need.working, memory.working);
        need.lean = std::max(need.lean, memory.lean);
    }
}

/// A search that takes little memory, with short lists and products of integers alone. A graphics card needs little of
/// the host's anyway.
SearchMaker lean(const SearchMaker& make) {
    return [make](BackendChoice choice, MatrixView sample, unsigned threads, const JobContext& job) {
        return choice == BackendChoice::Cuda ? make(choice, sample, threads, job)
                                             : makeThinnedSearch(std::make_unique<GemmSearch>(threads, true), threads);
    };
}

} // namespace

std::size_t ownNeighbors(const AuditOptions& options, std::size_t available) {
    // One neighbour beyond the ball shows that all its members are listed. Covers and verdicts need the full catalogue.
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.neighbors(), kDensityNeighbors);
    return std::min(std::max({options.storedNeighbors, options.k + 1, catalog}), available);
}

std::size_t crossNeighbors(const AuditOptions& options, std::size_t available) {
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.k, kDensityNeighbors);
    constexpr std::size_t kForRatios = 2; // of the nearest to the second nearest distance
    return std::min(std::max({options.storedNeighbors, options.k, catalog, kForRatios}), available);
}

MemoryNeed memoryNeed(const AuditRequest& request, const AuditResult* begun) {
    MemoryNeed need;
    need.results = kFixed;
    const auto shape = [&](const EmbeddingSet& set) { return shapeOf(request, set, request.options); };
    add<RealState>(need, shape(*request.real), begun != nullptr && begun->real != nullptr);
    for (const AuditModel& model : request.models)
        add<ModelState>(need, shape(*model.set));
    if (request.heldOut && (begun == nullptr || begun->heldOut == nullptr)) {
        const std::size_t basis = heldOutBasisBytes(shape(*request.heldOut));
        add<ModelState>(need, shape(*request.heldOut));
        need.working = std::max(need.working, basis);
        need.lean = std::max(need.lean, basis);
    }
    return need;
}

AuditOptions withinMemory(const AuditRequest& request, const AuditResult* begun) {
    AuditOptions fitted = request.options;
    if (fitted.search)
        return fitted;
    const bool given = fitted.memoryLimit > 0;
    const std::size_t limit = given ? fitted.memoryLimit : availableMemory();
    const MemoryNeed need = memoryNeed(request, begun);
    if (limit == 0 || need.atFullSpeed() <= limit)
        return fitted;
    fitted.makeSearch = lean(fitted.makeSearch);
    if (need.atLeast() <= limit)
        return fitted;
    const std::size_t models = request.models.size();
    throw Error(ErrorKind::NotEnoughMemory, "an audit of " + std::to_string(request.real->rows()) + " real rows and " +
                                                std::to_string(models) +
                                                (models == 1 ? " synthetic set needs " : " synthetic sets needs ") +
                                                "up to " + bytesText(need.atLeast()) + " beyond its inputs, found " +
                                                bytesText(limit) + (given ? " allowed" : " free on this machine"));
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
