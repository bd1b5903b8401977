#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_files.h"
#include "engine/subsets/curves/requested_curves.h"

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

namespace assay::python {

/// One set as Python hands it over: files, or arrays with files beside them.
struct SetRequest {
    std::string name;
    SetFiles files; ///< `embeddings` is empty where there are arrays
    std::optional<SetArrays> arrays;
};

/// What an audit is made of.
struct Request {
    bool demo = false; ///< the built-in demo instead of sets
    SetRequest real;
    std::vector<SetRequest> models;
    std::optional<SetRequest> heldOut;
    AuditOptions options;
    PreparationChoice choice;
    std::string groups; ///< column of the groups of every set that has it; empty for none
    CurveRequest curves;
    std::string compat; ///< published program; empty for none
};

/// @param set dictionary: `name`, and `file` or `place` with `values`, `images`, `labels`, `groups`, `ids` (header,
///        buffer); `pictures`, `classes`, `group_source` (a column or file), `join`, `order` as of assay-score
SetRequest setRequest(const nanobind::dict& set);

/// Options by the names of the command line. @throws Error{InvalidArgument} naming the option
Request withOptions(Request request, const nanobind::dict& options);

/// Backend, threads and memory limit alone, for what goes on from a finished audit.
AuditOptions workOptions(const nanobind::dict& options);

/// Reads another model's set as those of an audit were read.
/// @throws as readSet()
std::shared_ptr<const EmbeddingSet> readModel(const SetRequest& set, const AuditResult& audit, unsigned threads,
                                              const JobContext& job);

/// Reads a set whose values stay as they are.
/// @throws as readSet()
std::shared_ptr<const EmbeddingSet> readUnchanged(const SetRequest& set, unsigned threads, const JobContext& job);

/// The curves that an audit has of every model.
CurveRequest curvesOfModels(const AuditResult& audit);

/// Runs `work`; its errors name the argument that they are about.
template <typename Work>
auto withName(const std::string& argument, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.kind(), argument + ": " + error.what());
    }
}

/// Reads all sets, as assay-score does.
/// @throws as readSet()
AuditRequest load(const Request& request, const JobContext& job);

} // namespace assay::python
