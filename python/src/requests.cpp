#include "python/src/requests.h"

#include "engine/audit/run/audit_cost.h"
#include "engine/base/error.h"
#include "engine/demo/demo.h"
#include "engine/gpu/backends/backends.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/set_preview.h"
#include "python/src/lent_buffer.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace nb = nanobind;

namespace assay::python {
namespace {

/// Value of a key; empty where it is absent or None.
template <typename T>
std::optional<T> valueOf(const nb::dict& from, const char* key) {
    if (!from.contains(key) || from[key].is_none())
        return std::nullopt;
    try {
        return nb::cast<T>(from[key]);
    } catch (const nb::cast_error&) {
        throw nb::type_error(
            (std::string(key) + ": expected another type of value, found " + nb::repr(from[key]).c_str()).c_str());
    }
}

template <typename T>
void take(T& into, const nb::dict& from, const char* key) {
    if (auto value = valueOf<T>(from, key))
        into = std::move(*value);
}

std::optional<LentArray> arrayOf(const nb::dict& set, const char* key) {
    const auto given = valueOf<std::pair<nb::bytes, nb::object>>(set, key);
    if (!given)
        return std::nullopt;
    auto memory = std::make_shared<const LentBuffer>(given->second);
    return LentArray{{given->first.c_str(), given->first.size()}, memory->bytes(), memory};
}

[[noreturn]] void refuseOption(const std::string& option, const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::InvalidArgument, option + ": expected " + expected + ", found " + found);
}

BackendChoice backendOf(const std::string& name) {
    if (name == "auto")
        return BackendChoice::Auto;
    if (name == "cuda")
        return BackendChoice::Cuda;
    std::string known = "auto";
    for (const Backend& backend : cpuBackends()) {
        if (backend.name == name)
            return backend.choice;
        known.append(", ").append(backend.name);
    }
    refuseOption("backend", "one of " + known + ", cuda", name);
}

AuditRequest loadDemo(const JobContext& job) {
    const Demo demo = makeDemo(job);
    AuditRequest audit;
    audit.real = demo.real;
    for (const auto& model : demo.models)
        audit.models.push_back({model->name(), model});
    return audit;
}

std::shared_ptr<const EmbeddingSet> readOne(const SetRequest& set, const ReadOptions& options, const JobContext& job) {
    return set.arrays ? readArrays(*set.arrays, job, options, set.files) : readSet(set.files, job, options);
}

AuditRequest loadSets(Request request, const JobContext& job) {
    // Files are copied, not mapped: nothing here is prepared for one that is shortened meanwhile.
    ReadOptions reading;
    reading.threads = request.options.threads;
    if (!request.groups.empty()) {
        std::vector<SetFiles*> others;
        for (SetRequest& model : request.models)
            others.push_back(&model.files);
        if (request.heldOut)
            others.push_back(&request.heldOut->files);
        takeCommonGroups(request.groups, request.real.files, others, request.choice);
    }
    std::vector<SetFiles> files{request.real.files};
    for (const SetRequest& model : request.models)
        files.push_back(model.files);
    if (request.heldOut)
        files.push_back(request.heldOut->files);
    std::erase_if(files, [](const SetFiles& set) { return set.embeddings.empty(); });
    reading.choice = completedChoice(request.choice, files, job);
    const std::size_t count = request.models.size() + (request.heldOut ? 2 : 1);
    AuditRequest audit;
    audit.real = readOne(request.real, reading, job.step(0, count));
    reading.preparation = audit.real->preparation();
    for (std::size_t m = 0; m < request.models.size(); ++m)
        audit.models.push_back({request.models[m].name, readOne(request.models[m], reading, job.step(m + 1, count))});
    if (request.heldOut)
        audit.heldOut = readOne(*request.heldOut, reading, job.step(count - 1, count));
    return audit;
}

} // namespace

SetRequest setRequest(const nb::dict& set) {
    SetRequest request;
    request.name = valueOf<std::string>(set, "name").value_or("");
    take(request.files.embeddings, set, "file");
    take(request.files.pictures, set, "pictures");
    take(request.files.labels, set, "classes");
    take(request.files.groups, set, "group_source");
    if (const auto join = valueOf<std::string>(set, "join"))
        request.files.join = *join == "id" ? JoinBy::Id : JoinBy::Row;
    if (const auto order = valueOf<std::string>(set, "order"))
        request.files.order = *order == "parts" ? PictureOrder::Parts : PictureOrder::Path;
    if (!request.files.embeddings.empty())
        return request;
    request.arrays.emplace();
    request.arrays->name = request.name;
    request.arrays->place = valueOf<std::string>(set, "place").value_or(request.name);
    request.arrays->values = arrayOf(set, "values");
    request.arrays->images = arrayOf(set, "images");
    request.arrays->labels = arrayOf(set, "labels");
    request.arrays->groups = arrayOf(set, "groups");
    request.arrays->ids = arrayOf(set, "ids");
    request.arrays->isSeries = valueOf<bool>(set, "series").value_or(false);
    return request;
}

AuditOptions workOptions(const nb::dict& options) {
    AuditOptions work;
    work.makeSearch = makeNeighborSearch;
    if (const auto name = valueOf<std::string>(options, "backend"))
        work.backend = backendOf(*name);
    take(work.threads, options, "threads");
    if (const auto limit = valueOf<std::string>(options, "memory_limit"))
        work.memoryLimit = withName("memory_limit", [&] { return parseBytes(*limit); });
    return work;
}

Request withOptions(Request request, const nb::dict& options) {
    request.options = workOptions(options);
    take(request.demo, options, "demo");
    take(request.options.k, options, "k");
    take(request.options.seed, options, "seed");
    take(request.options.cover.k, options, "cover_k");
    take(request.options.cover.c, options, "cover_c");
    take(request.options.falseDiscoveryRate, options, "fdr");
    take(request.options.oneClass, options, "one_class");
    take(request.options.tablesOnly, options, "quick");
    if (const auto name = valueOf<std::string>(options, "scale")) {
        const auto scaling = scalingOf(*name);
        if (!scaling || !isSelectable(*scaling))
            refuseOption("scale", "none, zscore, pca-whiten or l2", *name);
        request.choice.scaling = scaling;
    }
    if (const auto name = valueOf<std::string>(options, "missing")) {
        const auto missing = missingOf(*name);
        if (!missing)
            refuseOption("missing", "refuse, drop or indicate", *name);
        request.choice.missing = *missing;
        request.choice.fillsGaps = false;
    }
    take(request.groups, options, "groups");
    take(request.choice.oneHot, options, "one_hot");
    take(request.choice.ignoredColumns, options, "ignore_columns");
    std::map<std::string, std::string> columns;
    take(columns, options, "columns");
    for (const auto& [name, text] : columns) {
        const auto kind = columnKindOf(text);
        if (!kind)
            refuseOption("columns", "number, category, date, id, label, group or left-out for '" + name + "'", text);
        setColumnKind(request.choice, name, kind);
    }
    if (valueOf<bool>(options, "bad_fraction").value_or(false))
        request.curves.badFraction.emplace();
    take(request.curves.sampleSize, options, "sample_size");
    take(request.curves.frontier, options, "frontier");
    take(request.curves.discard, options, "discard");
    take(request.curves.useful, options, "discard_useful");
    take(request.compat, options, "compat");
    return request;
}

std::shared_ptr<const EmbeddingSet> readUnchanged(const SetRequest& set, unsigned threads, const JobContext& job) {
    ReadOptions reading;
    reading.threads = threads;
    reading.preparation = std::make_shared<const ValuePreparation>();
    return readOne(set, reading, job);
}

std::shared_ptr<const EmbeddingSet> readModel(const SetRequest& set, const AuditResult& audit, unsigned threads,
                                              const JobContext& job) {
    ReadOptions reading;
    reading.threads = threads;
    reading.preparation = audit.real->set->preparation();
    return readOne(set, reading, job);
}

CurveRequest curvesOfModels(const AuditResult& audit) {
    CurveRequest curves;
    const auto add = [](std::vector<std::string>& columns, const std::string& column) {
        if (std::ranges::find(columns, column) == columns.end())
            columns.push_back(column);
    };
    for (const RequestedCurve& curve : audit.curves) {
        constexpr std::string_view kDiscard = "discard_by_";
        constexpr std::string_view kUseful = "useful_by_";
        curves.sampleSize |= curve.key == "sample_size";
        curves.frontier |= curve.key == "removal_frontier";
        if (curve.key.starts_with(kDiscard))
            add(curves.discard, curve.key.substr(kDiscard.size()));
        if (curve.key.starts_with(kUseful))
            add(curves.useful, curve.key.substr(kUseful.size()));
    }
    return curves;
}

AuditRequest load(const Request& request, const JobContext& job) {
    AuditRequest audit = request.demo ? loadDemo(job) : loadSets(request, job);
    audit.options = request.options;
    return audit;
}

} // namespace assay::python
