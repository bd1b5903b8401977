#include "engine/report/scores/sample_evidence.h"

#include "engine/audit/result/audit_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace assay {

SampleEvidence::SampleEvidence(std::shared_ptr<const AuditResult> audit, std::size_t model, Side side)
    : audit_(std::move(audit)), model_(model), side_(side) {
    const std::array<std::pair<std::string_view, Values*>, 8> columns{{{"verdict", &verdict_},
                                                                       {"p_copy", &pCopy_},
                                                                       {"p_over_represented", &pCrowded_},
                                                                       {"p_unrealistic", &pUnrealistic_},
                                                                       {"copy_ratio", &copyRatio_},
                                                                       {"nearest_real", &nearest_},
                                                                       {"nearest_real_distance", &nearestDistance_},
                                                                       {"log_density_ratio", &densityRatio_}}};
    for (const ColumnValues& values : audit_->models[model_]->columns) {
        if (side == Side::Real && values.id == "coverage_ratio")
            densityRatio_ = &values.values.get();
        if (side == Side::Synthetic)
            for (const auto& [id, place] : columns)
                if (values.id == id)
                    *place = &values.values.get();
    }
}

Evidence SampleEvidence::strongest(std::uint32_t row) const {
    if (side_ == Side::Real)
        return density(row);
    if (verdict_ == nullptr || pCopy_ == nullptr || pCrowded_ == nullptr || pUnrealistic_ == nullptr)
        return {};
    const auto verdict = static_cast<Verdict>((*verdict_)[row]);
    if (verdict != Verdict::Good)
        return of(verdict, row);
    // Of equal p-values the first, as verdicts are named.
    const double smallest = std::min({(*pCopy_)[row], (*pCrowded_)[row], (*pUnrealistic_)[row]});
    return of((*pCopy_)[row] == smallest      ? Verdict::Copy
              : (*pCrowded_)[row] == smallest ? Verdict::Crowded
                                              : Verdict::Unrealistic,
              row);
}

Evidence SampleEvidence::of(Verdict test, std::uint32_t row) const {
    switch (test) {
    case Verdict::Copy:
        return copy(row);
    case Verdict::Crowded:
    case Verdict::Invented:
        return density(row);
    case Verdict::Unrealistic:
        return distance(row);
    case Verdict::Good:
        break;
    }
    return {};
}

Evidence SampleEvidence::copy(std::uint32_t row) const {
    if (copyRatio_ == nullptr)
        return {};
    if (nearest_ != nullptr && nearestDistance_ != nullptr && (*nearestDistance_)[row] == 0.0)
        return {Evidence::Kind::ExactCopy, (*nearest_)[row]};
    return {Evidence::Kind::Copy, 1.0 / (*copyRatio_)[row]};
}

/// Distance to the sample's neighbours in the real set relative to that in the synthetic one; none where one is 0, as
/// samples that equal it are counted then.
std::optional<double> SampleEvidence::spacing(std::uint32_t row) const {
    const PairTables& tables = *audit_->models[model_]->tables;
    const bool real = side_ == Side::Real;
    const NeighborTable& toReal = real ? audit_->real->neighbors : tables.synthetic.nearest;
    const NeighborTable& toSynthetic = real ? tables.real.nearest : tables.syntheticToSynthetic;
    const std::size_t k =
        real ? audit_->real->k : densityNeighbors(audit_->real->set->rows(), audit_->models[model_]->set->rows());
    if (row >= toReal.rows() || row >= toSynthetic.rows() || k == 0 || k > toReal.k || k > toSynthetic.k)
        return std::nullopt;
    const double fromReal = toReal.distanceAt(row, k - 1);
    const double fromSynthetic = toSynthetic.distanceAt(row, k - 1);
    if (fromReal == 0.0 || fromSynthetic == 0.0)
        return std::nullopt;
    return fromReal / fromSynthetic;
}

Evidence SampleEvidence::density(std::uint32_t row) const {
    if (densityRatio_ == nullptr || std::isnan((*densityRatio_)[row]))
        return {};
    if (audit_->real->set->dim() > kDensityDims)
        if (const auto ratio = spacing(row))
            return {Evidence::Kind::Crowded, *ratio};
    const double nats = (*densityRatio_)[row];
    return {Evidence::Kind::Dense, std::exp(side_ == Side::Real ? -nats : nats)};
}

Evidence SampleEvidence::distance(std::uint32_t row) const {
    const NeighborTable& table = audit_->models[model_]->tables->synthetic.nearest;
    const std::size_t k = audit_->real->k;
    if (row >= table.rows() || k == 0 || k > table.k || !(audit_->real->medianRadius > 0.0))
        return {};
    return {Evidence::Kind::Distance, table.distanceAt(row, k - 1) / audit_->real->medianRadius};
}

std::optional<SampleId> nearestOther(const AuditResult& audit, std::size_t model, SampleId sample) {
    const ModelAudit& of = *audit.models[model];
    const bool real = isReal(sample.set);
    const NeighborTable& table = real ? of.tables->real.nearest : of.tables->synthetic.nearest;
    const SetId other = real ? syntheticSet(model) : SetId::Real;
    if (sample.row < table.rows() && table.k > 0)
        return SampleId{other, table.indexAt(sample.row, 0)};
    if (real || !of.hasColumn("nearest_real"))
        return std::nullopt;
    return SampleId{other, static_cast<std::uint32_t>(of.column("nearest_real")[sample.row])};
}

} // namespace assay
