#include "engine/report/scores/explain.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/brief_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

namespace {

/// Text ", 18 % beyond the ball's radius (2.90)"; from three radii on ", 20.8 times the ball's radius (0.637)".
std::string beyond(const NeighborRelation& nearest, const char* whose) {
    const double miss = nearest.relativeGap();
    const std::string ball = std::string(whose) + " (" + roundedText(nearest.radius) + ")";
    if (!std::isfinite(miss))
        return ", beyond " + ball;
    return miss < 2.0 ? ", " + percentText(miss) + " beyond " + ball
                      : ", " + roundedText(miss + 1.0) + " times " + ball;
}

/// A positive number to two significant digits, grouped: "1.2", "12", "31,000"; whole numbers without decimals.
std::string roughText(double value) {
    if (value < 9.95)
        return fmt::format("{:.2g}", value);
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return countText(static_cast<std::size_t>(std::lround(std::round(value / step) * step)));
}

/// "12 times"; beyond a million the digits mean nothing.
std::string timesText(double factor) {
    return factor > 1e6 ? "more than a million times" : roughText(factor) + " times";
}

/// Sentence " Only 1 in 10,000 held-out samples is that close." about a p-value; empty without that column.
/// @param is end of the sentence after "samples", such as "is that close"
std::string rarity(const AuditResult& audit, const ModelAudit& model, std::string_view column, std::size_t row,
                   std::string_view is) {
    if (!model.hasColumn(column))
        return {};
    const double share = model.column(column)[row];
    if (!(share > 0.0))
        return {};
    const char* samples = findColumn(column)->side == Side::Synthetic && audit.heldOut ? "held-out" : "real";
    if (share > 0.4)
        return fmt::format(" That is usual for {} samples.", samples);
    return fmt::format(" {} 1 in {} {} samples {}.", share < 0.05 ? "Only" : "About",
                       roughText(std::max(2.0, std::round(1.0 / share))), samples, is);
}

/// Id of the nearest real sample, short enough for a narrow panel.
std::string idOf(const AuditResult& audit, const NeighborRelation& nearest) {
    constexpr std::size_t kLongestId = 40;
    return briefText(audit.real->set->idText(nearest.neighbor.row), kLongestId);
}

std::string copySentence(const AuditResult& audit, const ModelAudit& model, std::size_t row,
                         const NeighborRelation& nearest) {
    const std::string original = "real sample " + idOf(audit, nearest);
    const double ratio = model.column("copy_ratio")[row];
    std::string text = "Likely a copy of " + original + ": ";
    if (nearest.distance == 0.0)
        text = "Likely a copy: it equals " + original + ".";
    else if (ratio < 0.95)
        text += timesText(1.0 / ratio) + " closer to it than any other real sample is.";
    else
        text += "it is unusually close to it.";
    return text + rarity(audit, model, "p_copy", row, "is that close");
}

/// Estimated density of the model around a sample divided by that of the real set; infinite or NaN without an estimate.
double densityFactor(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    if (!model.hasColumn("log_density_ratio"))
        return std::numeric_limits<double>::quiet_NaN();
    const double real = static_cast<double>(audit.real->set->rows());
    const double synthetic = static_cast<double>(model.set->rows());
    const NeighborTable& toReal = model.tables->synthetic.nearest;
    const std::size_t k = densityNeighbors(audit.real->set->rows(), model.set->rows());
    // Where equal samples were counted, the ratio is one of shares already: those of both sets, and in the third
    // version of the statistics also where only the model's are dense.
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    const bool counted = k > 0 && ((toReal.k >= k && toReal.distanceAt(row, k - 1) == 0.0) ||
                                   (model.verdictStatistics == 3 && own.k >= k && own.distanceAt(row, k - 1) == 0.0));
    return std::exp(model.column("log_density_ratio")[row]) * (counted ? 1.0 : real / synthetic);
}

constexpr double kMaxTimes = 100.0; ///< beyond it a factor of densities means nothing to a reader

std::string inventedSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    return "Invented: the model makes many samples like it, where there is almost no real data." +
           rarity(audit, model, "p_over_represented", row, "lies in such a crowd");
}

std::string crowdedSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    const double factor = densityFactor(audit, model, row);
    std::string text = "Crowded: the model is denser here, compared with the real data, than almost anywhere.";
    if (std::isinf(factor))
        text = "Crowded: the model repeats this sample at least " +
               counted(densityNeighbors(audit.real->set->rows(), model.set->rows()), "time", "times") +
               "; the real data do not.";
    else if (factor > kMaxTimes) // powers of many dimensions: only the distances behind them can be pictured
        text = "Crowded: synthetic samples lie " +
               timesText(std::exp(model.column("log_density_ratio")[row] / static_cast<double>(model.set->dim()))) +
               " closer to it than real ones do.";
    else if (factor >= 1.5)
        text = "Crowded: the model is about " + timesText(factor) + " as dense here as the real data.";
    return text + rarity(audit, model, "p_over_represented", row, "lies in such a crowd");
}

std::string unrealisticSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    const NeighborTable& toReal = model.tables->synthetic.nearest;
    const double distance = toReal.distanceAt(row, std::min(audit.real->k, toReal.k) - 1);
    const double factor = distance / audit.real->medianRadius;
    return "Unrealistic: " +
           (std::isfinite(factor) && factor >= 1.05
                ? timesText(factor) + " as far from the real data as real samples usually are from each other."
                : std::string("farther from the real data than real samples are from each other.")) +
           rarity(audit, model, "p_unrealistic", row, "is that far out");
}

/// Explains a sample's verdict, and how rare good samples like it are; empty for a good sample.
std::string verdictSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row,
                            const NeighborRelation& nearest) {
    if (!model.hasColumn("verdict") || !model.hasColumn("copy_ratio"))
        return {};
    switch (static_cast<Verdict>(model.column("verdict")[row])) {
    case Verdict::Copy:
        return copySentence(audit, model, row, nearest);
    case Verdict::Crowded:
        return crowdedSentence(audit, model, row);
    case Verdict::Invented:
        return inventedSentence(audit, model, row);
    case Verdict::Unrealistic:
        return unrealisticSentence(audit, model, row);
    case Verdict::Good:
        break;
    }
    return {};
}

constexpr double kRare = 0.05;

/// 1 without that column.
double pValue(const ModelAudit& model, std::string_view column, std::size_t row) {
    return model.hasColumn(column) ? model.column(column)[row] : 1.0;
}

/// Why a sample is good that is rare: so many samples hold some that are that rare. Else empty.
std::string chanceSentence(const ModelAudit& model, double share) {
    return share < kRare && share * static_cast<double>(model.set->rows()) >= kRare
               ? " Among " + countText(model.set->rows()) + " samples that can be chance."
               : "";
}

/// " (5 are enough)."
std::string enough(std::size_t k) {
    return fmt::format(" ({} {} enough).", k, k == 1 ? "is" : "are");
}

std::string fidelitySentence(const AuditResult& audit, const ModelAudit& model, std::size_t row,
                             const NeighborRelation& nearest) {
    const PairTables& tables = *model.tables;
    const std::size_t clipped = tables.synthetic.innerHolding[row];
    const std::size_t k = audit.real->k;
    const std::string balls =
        clipped == 1 ? "the ball of 1 real sample" : fmt::format("the balls of {} real samples", clipped);
    if (clipped >= k)
        return "Looks like real data: it lies in " + balls + enough(k);
    if (clipped > 0)
        return fmt::format("Partly like real data: it lies in {}; {} are needed for full fidelity.", balls, k);
    const std::size_t wide = tables.synthetic.holding[row];
    std::string text =
        wide == 0 ? "Apart from the real data: no real sample's ball reaches it. "
                  : "At the edge of the real data: it lies only in the oversized " +
                        (wide == 1 ? std::string("ball of 1 isolated real sample, which does not count. ")
                                   : "balls of " + countText(wide) + " isolated real samples, which do not count. ");
    text += "Its nearest real sample is " + roundedText(nearest.distance) + " away" +
            beyond(nearest, "the reach of that one's ball") + ".";
    text += rarity(audit, model, "p_unrealistic", row, "is that far out");
    return text + chanceSentence(model, pValue(model, "p_unrealistic", row));
}

/// Sentence about a good sample that is ranked high because it is crowded; empty where another test is stronger.
std::string crowdSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    const double share = pValue(model, "p_over_represented", row);
    const double factor = densityFactor(audit, model, row);
    if (!(share < kRare && share <= pValue(model, "p_unrealistic", row) && share <= pValue(model, "p_copy", row) &&
          factor >= 1.5))
        return {};
    return (factor > kMaxTimes ? std::string(" The model is far denser here than the real data.")
                               : " The model is about " + timesText(factor) + " as dense here as the real data.") +
           rarity(audit, model, "p_over_represented", row, "lies in such a crowd") + chanceSentence(model, share);
}

/// Good samples are often not authentic either; the sentence states how many, so that it does not sound like an
/// accusation. Empty for an authentic sample.
std::string closenessSentence(const AuditResult& audit, const NeighborRelation& nearest) {
    const std::string id = idOf(audit, nearest);
    if (nearest.distance == 0.0)
        return "It equals real sample " + id + ". ";
    if (nearest.distance > audit.real->neighbors.distanceAt(nearest.neighbor.row, 0))
        return {};
    const double alike = audit.heldOut ? 1.0 - audit.heldOut->audit->metric("authenticity") : audit.real->notAuthentic;
    return "At least as close to real sample " + id + " as any other real sample is, which is usual: so are " +
           percentText(alike) + (audit.heldOut ? " of held-out samples. " : " of real samples. ");
}

std::string explainSynthetic(const AuditResult& audit, SampleId sample) {
    const ModelAudit& model = *audit.models[modelIndex(sample.set)];
    const auto found = nearestSamples(audit, 0, sample, Side::Real, 1);
    if (found.empty())
        return {};
    const NeighborRelation& nearest = found.front();
    const std::string verdict = verdictSentence(audit, model, sample.row, nearest);
    return verdict.empty() ? closenessSentence(audit, nearest) + fidelitySentence(audit, model, sample.row, nearest) +
                                 crowdSentence(audit, model, sample.row)
                           : verdict;
}

bool isMissed(const ModelAudit& model, std::size_t row) {
    return model.hasColumn("coverage_verdict") &&
           static_cast<CoverageVerdict>(model.column("coverage_verdict")[row]) != CoverageVerdict::Covered;
}

/// "about 45 times as sparse as the real data", or "far sparser than the real data"
std::string sparserText(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    const double sizes = static_cast<double>(model.set->rows()) / static_cast<double>(audit.real->set->rows());
    const double factor =
        model.hasColumn("coverage_ratio") ? std::exp(model.column("coverage_ratio")[row]) * sizes : 0.0;
    if (!(factor >= 1.5))
        return "unusually sparse";
    return factor > kMaxTimes ? "far sparser than the real data"
                              : "about " + timesText(factor) + " as sparse as the real data";
}

std::string explainReal(const AuditResult& audit, std::size_t model, std::size_t row) {
    const ModelAudit& audited = *audit.models[model];
    const PairTables& tables = *audited.tables;
    if (tables.real.inside.empty() || tables.real.nearest.rows() == 0)
        return {};
    const std::size_t inside = tables.real.inside[row];
    const std::size_t k = audit.real->k;
    const std::string held = counted(inside, "synthetic sample lies", "synthetic samples lie") + " in its ball";
    const std::string rare = rarity(audit, audited, "p_uncovered", row, "would be that isolated by chance");
    const bool missed = isMissed(audited, row);
    if (inside > 0) {
        if (missed)
            return "Too thin: the model is " + sparserText(audit, audited, row) + " here; " + held + "." + rare;
        if (inside >= k)
            return "Well covered: " + held + enough(k);
        return fmt::format("Partly covered: {}; {} are needed for full coverage.", held, k);
    }
    const double radius = audit.real->radius[row];
    const NeighborRelation nearest{{}, tables.real.nearest.distanceAt(row, 0), radius, false};
    return fmt::format("{}none of the {} lies in its ball. The nearest is {} away{}.",
                       missed ? "Missed: " : "Not covered: ", countText(audited.set->rows()) + " synthetic samples",
                       roundedText(nearest.distance), beyond(nearest, "the ball's radius")) +
           rare;
}

const NeighborTable& tableFor(const AuditResult& audit, std::size_t model, SetId from, Side side) {
    if (isReal(from))
        return side == Side::Real ? audit.real->neighbors : audit.models[model]->tables->real.nearest;
    const PairTables& tables = *audit.models[modelIndex(from)]->tables;
    return side == Side::Real ? tables.synthetic.nearest : tables.syntheticToSynthetic;
}

} // namespace

double NeighborRelation::relativeGap() const noexcept {
    if (inside)
        return 0.0;
    return radius > 0.0 ? (distance - radius) / radius : std::numeric_limits<double>::infinity();
}

std::vector<NeighborRelation> nearestSamples(const AuditResult& audit, std::size_t model, SampleId sample, Side side,
                                             std::size_t count) {
    if (audit.models.empty() && (side == Side::Synthetic || !isReal(sample.set)))
        return {};
    const NeighborTable& table = tableFor(audit, model, sample.set, side);
    if (sample.row >= table.rows())
        return {};
    const std::size_t owner = isReal(sample.set) ? model : modelIndex(sample.set);
    const SetId set = side == Side::Real ? SetId::Real : syntheticSet(owner);
    const std::vector<double>& radii =
        side == Side::Real ? audit.real->innerRadius : audit.models[owner]->tables->syntheticRadius;
    std::vector<NeighborRelation> result;
    for (std::size_t rank = 0; rank < std::min(count, table.k); ++rank) {
        const std::uint32_t row = table.indexAt(sample.row, rank);
        const double distance = table.distanceAt(sample.row, rank);
        result.push_back({{set, row}, distance, radii[row], distance <= radii[row]});
    }
    return result;
}

std::string explainSample(const AuditResult& audit, std::size_t model, SampleId sample) {
    if (!isReal(sample.set))
        return explainSynthetic(audit, sample);
    return model < audit.models.size() ? explainReal(audit, model, sample.row) : std::string();
}

double Standing::percentile() const noexcept {
    return total == 0 ? std::numeric_limits<double>::quiet_NaN()
                      : (static_cast<double>(below) + 0.5 * static_cast<double>(equal)) / static_cast<double>(total);
}

Standing standingOf(std::span<const double> values, std::size_t row) {
    Standing standing;
    const double value = values[row];
    if (std::isnan(value))
        return standing;
    for (double other : values) {
        standing.below += other < value;
        standing.equal += other == value;
        standing.total += !std::isnan(other);
    }
    return standing;
}

} // namespace assay
