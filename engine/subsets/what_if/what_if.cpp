#include "engine/subsets/what_if/what_if.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/metrics/tables/row_mask.h"
#include "engine/subsets/what_if/subset_audit.h"
#include "engine/subsets/what_if/what_if_tables.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace assay {
namespace {

std::shared_ptr<const ModelAudit> modelOf(const AuditResult& audit, std::size_t model) {
    if (model >= audit.models.size())
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("model: expected an index below {}, found {}", audit.models.size(), model));
    return audit.models[model];
}

/// Makes the search with the audit's backend unless the options name another one, so that the timing trial need not run
/// again.
std::unique_ptr<NeighborSearch> searchFor(const ModelAudit& model, const AuditOptions& options) {
    BackendChoice choice = options.backend;
    if (choice == BackendChoice::Auto)
        for (const Backend& backend :
             cpuBackends()) // a graphics card of the audit may be missing now; Auto then chooses anew
            if (backend.name == model.backend)
                choice = backend.choice;
    return options.makeSearch(choice, model.set->matrix(), options.threads, {});
}

void requireOnePerRow(const char* what, std::size_t found, const ModelAudit& model) {
    if (found != model.set->rows())
        throw Error(ErrorKind::InvalidArgument, fmt::format("{}: expected {} {}, one per synthetic row, found {}",
                                                            model.name, model.set->rows(), what, found));
}

} // namespace

double WhatIfResult::metric(std::string_view id) const {
    const MetricValue* at = findBy(metrics, &MetricValue::id, id);
    if (at == nullptr)
        throw Error(ErrorKind::InvalidArgument, "There is no metric '" + std::string(id) + "'.");
    return at->value;
}

WhatIfTables::WhatIfTables(std::shared_ptr<const AuditResult> result, std::size_t which,
                           std::unique_ptr<NeighborSearch> how, std::size_t bytesPerSample, SubsetScores wanted)
    : audit(std::move(result)), real(*audit->real), model(*audit->models[which]), k(audit->k), scores(wanted),
      search(std::move(how)), realToSynthetic(real.set->matrix(), model.set->matrix(), QueryRows::OtherSet,
                                              model.tables->real.nearest, neighborsOfReal()),
      syntheticToSynthetic(model.set->matrix(), model.set->matrix(), QueryRows::OwnSet,
                           model.tables->syntheticToSynthetic, ownNeighbors()),
      realInBalls(model.set->matrix(), real.set->matrix(), model.tables->synthetic.nearest),
      byteLimit(bytesPerSample * (real.set->rows() + model.set->rows())) {}

void WhatIfTables::trim(const RowMask& kept) {
    if (realInBalls.bytes() > ballByteLimit())
        realInBalls.keepOnly(kept);
    if (realInBalls.bytes() > ballByteLimit())
        realInBalls.keepOnly(RowMask(syntheticRows()));
    const std::size_t room = byteLimit - realInBalls.bytes();
    const std::size_t synthetic = syntheticToSynthetic.bytes();
    if (bytes() <= byteLimit)
        return;
    // Each side is trimmed in proportion to its size.
    const double share = static_cast<double>(room) / static_cast<double>(synthetic + realToSynthetic.bytes());
    syntheticToSynthetic.trim(static_cast<std::size_t>(share * static_cast<double>(synthetic)));
    realToSynthetic.trim(room - syntheticToSynthetic.bytes());
}

WhatIf::WhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options,
               std::size_t bytesPerSample, SubsetScores scores) {
    auto search = searchFor(*modelOf(*audit, model), options);
    tables_ = std::make_unique<WhatIfTables>(std::move(audit), model, std::move(search), bytesPerSample, scores);
    subsetAudit_ = std::make_unique<SubsetAudit>(*tables_, options.threads);
}

WhatIf::~WhatIf() = default;
WhatIf::WhatIf(WhatIf&&) noexcept = default;
WhatIf& WhatIf::operator=(WhatIf&&) noexcept = default;

WhatIfResult WhatIf::evaluate(const std::vector<bool>& flags, const JobContext& job) {
    requireOnePerRow("flags", flags.size(), tables_->model);
    const RowMask kept(flags);
    if (kept.count() <= tables_->k)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected more than k = {} kept samples, found {} of {}", tables_->model.name,
                                tables_->k, kept.count(), flags.size()));
    WhatIfResult result{kept.count(), subsetAudit_->run(kept, job)};
    tables_->trim(kept);
    return result;
}

std::size_t WhatIf::bytes() const {
    return tables_->bytes();
}

} // namespace assay
