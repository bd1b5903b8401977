#include "widgets/samples/sample_evidence.h"

#include "engine/data/brief_text.h"
#include "widgets/common/number_format.h"
#include "widgets/link/view_state.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct EvidenceWords {
    Q_DECLARE_TR_FUNCTIONS(assay::Evidence)
};

/// The number that is written: ratios below 1 are turned around, and their words with them.
double writtenValue(const Evidence& evidence) {
    const bool turns = evidence.kind == Evidence::Kind::Copy || evidence.kind == Evidence::Kind::Crowded ||
                       evidence.kind == Evidence::Kind::Dense;
    return turns && evidence.value < 1.0 ? 1.0 / evidence.value : evidence.value;
}

/// Whether equal samples are in one of the two sets alone, so that there is no number to write.
bool isOneSided(const Evidence& evidence) {
    return evidence.kind == Evidence::Kind::Dense && (evidence.value == 0.0 || std::isinf(evidence.value));
}

bool isTurned(const Evidence& evidence) {
    return evidence.value < 1.0 && evidence.kind != Evidence::Kind::Distance;
}

QString idOf(const Evidence& evidence, const AuditResult& audit) {
    return QString::fromStdString(briefText(audit.real->set->idText(static_cast<std::size_t>(evidence.value))));
}

} // namespace

SampleEvidence::SampleEvidence(const ViewState& state, Side side) : side_(side) {
    if (!state.hasModel())
        return;
    audit_ = state.audit;
    model_ = state.model;
    const ModelAudit& model = state.current();
    const std::array<std::pair<std::string_view, Values*>, 8> columns{{{"verdict", &verdict_},
                                                                       {"p_copy", &pCopy_},
                                                                       {"p_over_represented", &pCrowded_},
                                                                       {"p_unrealistic", &pUnrealistic_},
                                                                       {"copy_ratio", &copyRatio_},
                                                                       {"nearest_real", &nearest_},
                                                                       {"nearest_real_distance", &nearestDistance_},
                                                                       {"log_density_ratio", &densityRatio_}}};
    for (const ColumnValues& values : model.columns) {
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
    const NeighborTable& toReal = real ? audit_->real->neighbors : tables.syntheticToReal;
    const NeighborTable& toSynthetic = real ? tables.realToSynthetic : tables.syntheticToSynthetic;
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
    const NeighborTable& table = audit_->models[model_]->tables->syntheticToReal;
    const std::size_t k = audit_->real->k;
    if (row >= table.rows() || k == 0 || k > table.k || !(audit_->real->medianRadius > 0.0))
        return {};
    return {Evidence::Kind::Distance, table.distanceAt(row, k - 1) / audit_->real->medianRadius};
}

bool readsAlike(const Evidence& a, const Evidence& b, int digits) {
    if (a.kind != b.kind || isTurned(a) != isTurned(b))
        return false;
    if (a.kind == Evidence::Kind::ExactCopy)
        return a.value == b.value;
    if (isOneSided(a) || isOneSided(b))
        return isOneSided(a) && isOneSided(b);
    return a.kind == Evidence::Kind::None || roundedTo(writtenValue(a), digits) == roundedTo(writtenValue(b), digits);
}

QString evidenceText(const Evidence& evidence, int digits, const AuditResult& audit) {
    const QString number = formatSignificant(writtenValue(evidence), digits);
    const bool turned = isTurned(evidence);
    switch (evidence.kind) {
    case Evidence::Kind::ExactCopy:
        return EvidenceWords::tr("exact copy of %1").arg(idOf(evidence, audit));
    case Evidence::Kind::Copy:
        return turned ? EvidenceWords::tr("%1x farther").arg(number) : EvidenceWords::tr("%1x closer").arg(number);
    case Evidence::Kind::Crowded:
        return turned ? EvidenceWords::tr("%1x as sparse").arg(number)
                      : EvidenceWords::tr("%1x as crowded").arg(number);
    case Evidence::Kind::Dense:
        if (isOneSided(evidence))
            return turned ? EvidenceWords::tr("real ones only") : EvidenceWords::tr("no real one like it");
        return turned ? EvidenceWords::tr("%1x as sparse").arg(number) : EvidenceWords::tr("%1x as dense").arg(number);
    case Evidence::Kind::Distance:
        return EvidenceWords::tr("%1x the usual distance").arg(number);
    case Evidence::Kind::None:
        break;
    }
    return {};
}

QString evidenceSentence(const Evidence& evidence, Side side, const AuditResult& audit) {
    const QString number = formatSignificant(writtenValue(evidence), 3);
    const bool turned = isTurned(evidence);
    switch (evidence.kind) {
    case Evidence::Kind::ExactCopy:
        return EvidenceWords::tr("Equal to real sample %1.").arg(idOf(evidence, audit));
    case Evidence::Kind::Copy:
        return turned ? EvidenceWords::tr("%1 times farther from its nearest real sample than that one is from any "
                                          "other real sample: no copy.")
                            .arg(number)
                      : EvidenceWords::tr("%1 times closer to its nearest real sample than any other real sample is.")
                            .arg(number);
    case Evidence::Kind::Crowded:
        if (side == Side::Real)
            return turned ? EvidenceWords::tr("Its nearest synthetic samples are %1 times as far away as its nearest "
                                              "real ones.")
                                .arg(number)
                          : EvidenceWords::tr("Its nearest synthetic samples are %1 times as close as its nearest "
                                              "real ones.")
                                .arg(number);
        return turned
                   ? EvidenceWords::tr("Its 20 nearest real samples are %1 times as close as its 20 nearest synthetic "
                                       "ones.")
                         .arg(number)
                   : EvidenceWords::tr("Its 20 nearest synthetic samples are %1 times as close as its 20 nearest real "
                                       "ones.")
                         .arg(number);
    case Evidence::Kind::Dense:
        if (isOneSided(evidence))
            return turned ? EvidenceWords::tr("Many real samples are identical here; synthetic ones are not.")
                          : EvidenceWords::tr("Many synthetic samples are identical here; no real sample is.");
        return turned ? EvidenceWords::tr("The real data are %1 times as dense here as the model.").arg(number)
                      : EvidenceWords::tr("The model is %1 times as dense here as the real data.").arg(number);
    case Evidence::Kind::Distance:
        return EvidenceWords::tr("%1 times as far from the real samples as these usually are from each other.")
            .arg(number);
    case Evidence::Kind::None:
        break;
    }
    return {};
}

std::optional<SampleId> nearestOther(const ViewState& state, SampleId sample) {
    if (!state.hasModel())
        return std::nullopt;
    const ModelAudit& model = state.current();
    const bool real = isReal(sample.set);
    const NeighborTable& table = real ? model.tables->realToSynthetic : model.tables->syntheticToReal;
    const SetId other = real ? state.currentSet() : SetId::Real;
    if (sample.row < table.rows() && table.k > 0)
        return SampleId{other, table.indexAt(sample.row, 0)};
    if (real || !model.hasColumn("nearest_real"))
        return std::nullopt;
    return SampleId{other, static_cast<std::uint32_t>(model.column("nearest_real")[sample.row])};
}

} // namespace assay
