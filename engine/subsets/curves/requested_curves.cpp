#include "engine/subsets/curves/requested_curves.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/subsets/curves/discard.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/curves/sample_size.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kSalvy = "Salvy, Talbot, Thirion, ICLR 2026";
constexpr std::string_view kAlaa = "Alaa et al., ICML 2022";
constexpr std::string_view kFox = "Fox, Swarup, Adiga, AAAI 2025";

using enum Unit;

constexpr std::array kDemanded{
    Curve{"bad_fraction", "Bad fraction", "Share of bad samples", "Value", Share, Ratio,
          "Value of each metric when this share of good samples is replaced by bad ones. The ideal is one minus the "
          "share.",
          kSalvy, nullptr, needs::kTables, Curve::Ideal::Falling},
    Curve{"bad_fraction_relative", "Bad fraction, relative", "Share of bad samples", "Value relative to none", Share,
          Ratio,
          "The same divided by the value without bad samples; for entropies the difference from it, in nats. The ideal "
          "is one minus the share.",
          kSalvy, nullptr, needs::kTables, Curve::Ideal::Falling},
    Curve{"bad_fraction_coverage", "Calibration of coverage, measured", "Share of good samples", "Value", Share, Share,
          "Mean coverage as measured, as expected of that many good samples, and clipped coverage.", kSalvy, nullptr},
    Curve{"sample_size", "Sample size", "Synthetic samples", "Value", Count, Ratio,
          "Mean score of random parts of both sets, with the band in which one score of that size falls in 95 % of "
          "cases: it narrows with the root of the size.",
          kSalvy, nullptr},
    Curve{"discard", "Discarding", "Share discarded", "Value", Share, Ratio,
          "Each metric of the samples that remain when the worst by one score are removed, beside as many removed at "
          "random.",
          kFox, nullptr},
    Curve{"useful_by_discard", "Usefulness after discarding", "Share discarded", "Value", Share, Ratio,
          "Utility and membership of the samples that remain when the worst by one score are removed, beside as many "
          "removed at random.",
          kAlaa, nullptr},
    Curve{"pce_re_tradeoff", "PCE against RE", "Share discarded", "Nats", Share, Nats,
          "PCE and RE as the samples of highest PCE are discarded: fidelity gained against diversity lost.", kFox,
          nullptr},
    Curve{"removal_frontier", "Fidelity against coverage", "Share discarded", "Clipped density", Share, Ratio,
          "Clipped density and coverage of the remaining samples as others are discarded: by fidelity while sparing "
          "those that "
          "alone cover a real sample, by simple rankings, and at random.",
          kSalvy, nullptr},
};

void put(AuditResult& result, RequestedCurve curve) {
    std::erase_if(result.curves,
                  [&](const RequestedCurve& old) { return old.key == curve.key && old.model == curve.model; });
    result.curves.push_back(std::move(curve));
}

/// Adds the bad-fraction curves. Good samples are those of the request, else the audit's held-out set, else a part of
/// the real set.
void addBadFraction(AuditResult& result, BadFractionRequest request, const AuditOptions& options,
                    const JobContext& job) {
    if (!request.good && result.heldOut)
        request.good = result.heldOut->audit->set;
    BadFractionCurves curves = badFractionCurves(result.real->set, request, options, job);
    for (CurveValues* values : {&curves.raw, &curves.relative, &curves.coverage})
        put(result, {std::string(values->id),
                     {},
                     curves.note,
                     std::move(*values),
                     curves.size,
                     request.bad ? request.bad->name() : std::string()});
}

void requireWhole(const EmbeddingSet& set) {
    if (set.held().count != set.rows())
        throw Error(ErrorKind::InvalidArgument, set.name() + ": curves over subsets expect all rows in one process, " +
                                                    "found " + std::to_string(set.held().count) + " of " +
                                                    std::to_string(set.rows()));
}

} // namespace

std::span<const Curve> requestedCurveCatalog() {
    return kDemanded;
}

const Curve* findAnyCurve(std::string_view id) {
    const Curve* demanded = findBy(kDemanded, &Curve::id, id);
    return demanded != nullptr ? demanded : findCurve(id);
}

std::shared_ptr<const AuditResult> withCurves(const std::shared_ptr<const AuditResult>& audit,
                                              const CurveRequest& request, const AuditOptions& options,
                                              const JobContext& job) {
    requireWhole(*audit->real->set);
    for (const auto& model : audit->models)
        requireWhole(*model->set);
    if (audit->heldOut)
        requireWhole(*audit->heldOut->audit->set);
    for (const auto* columns : {&request.discard, &request.useful})
        for (const std::string& column : *columns)
            if (!canDiscardBy(column))
                throw Error(ErrorKind::InvalidArgument,
                            "discard: expected a score of synthetic samples, found '" + column + "'");
    AuditOptions same = options;
    same.k = audit->k;
    same.seed = audit->seed;
    auto result = std::make_shared<AuditResult>(*audit);
    const std::size_t perModel =
        (request.sampleSize ? 1 : 0) + (request.frontier ? 1 : 0) + request.discard.size() + request.useful.size();
    const std::size_t steps = (request.badFraction ? 1 : 0) + perModel * audit->models.size();
    std::size_t step = 0;
    const auto next = [&](const std::string& stage) { return job.step(step++, steps, stage); };
    if (request.badFraction)
        addBadFraction(*result, *request.badFraction, same, next({}));
    for (std::size_t m = 0; m < audit->models.size(); ++m) {
        const ModelAudit& model = *audit->models[m];
        if (request.sampleSize)
            put(*result, {"sample_size", model.name, "disjoint random parts; seed " + std::to_string(audit->seed),
                          sampleSizeCurve(audit, m, same, next("Curves of " + model.name))});
        if (request.frontier)
            put(*result,
                {"removal_frontier", model.name, "ties and random removal: seed " + std::to_string(audit->seed),
                 removalFrontier(audit, m, same, next("Curves of " + model.name))});
        const auto noteOn = [&](const std::string& column) {
            return "worst first by " + std::string(findColumn(column)->title) + "; seed " + std::to_string(audit->seed);
        };
        for (const std::string& column : request.useful)
            put(*result, {"useful_by_" + column, model.name, noteOn(column),
                          usefulCurve(audit, m, column, same, next("Curves of " + model.name))});
        for (const std::string& column : request.discard) {
            const std::string note = noteOn(column);
            CurveValues values = discardCurve(audit, m, column, same, next("Curves of " + model.name));
            if (column == "pce")
                put(*result, {"pce_re_tradeoff", model.name, note, pceReTradeoff(values)});
            put(*result, {"discard_by_" + column, model.name, note, std::move(values)});
        }
    }
    job.checkpoint(1.0);
    return result;
}

const RequestedCurve* findRequestedCurve(const AuditResult& audit, std::string_view key, std::string_view model) {
    const auto at = std::find_if(audit.curves.begin(), audit.curves.end(),
                                 [&](const RequestedCurve& curve) { return curve.key == key && curve.model == model; });
    return at == audit.curves.end() ? nullptr : &*at;
}

CurveRequest requestForCurve(std::string_view key) {
    CurveRequest request;
    if (key.starts_with(kDiscardBy))
        request.discard = {std::string(key.substr(kDiscardBy.size()))};
    else if (key.starts_with(kUsefulBy))
        request.useful = {std::string(key.substr(kUsefulBy.size()))};
    else if (key == "sample_size")
        request.sampleSize = true;
    else if (key == "removal_frontier")
        request.frontier = true;
    else
        request.badFraction.emplace();
    return request;
}

std::string firstCurveOf(const CurveRequest& request) {
    if (request.badFraction)
        return "bad_fraction";
    if (request.sampleSize)
        return "sample_size";
    if (request.frontier)
        return "removal_frontier";
    if (!request.useful.empty())
        return std::string(kUsefulBy) + request.useful.front();
    return request.discard.empty() ? std::string() : std::string(kDiscardBy) + request.discard.front();
}

std::vector<const Column*> discardColumns(const AuditResult& audit) {
    std::vector<const Column*> columns;
    for (const Column& column : columnCatalog())
        if (canDiscardBy(column.id) &&
            std::ranges::all_of(audit.models, [&](const auto& model) { return model->hasColumn(column.id); }))
            columns.push_back(&column);
    return columns;
}

} // namespace assay
