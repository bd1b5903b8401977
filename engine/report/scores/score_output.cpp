#include "engine/report/scores/score_output.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/audit/result/compare.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/io/files/text_encoding.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/report/samples/export_samples.h"
#include "engine/report/scores/json_parts.h"
#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/rules/filter.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

// The first columns of the files, fixed because scripts read them; other columns follow in catalogue order.
constexpr std::array<std::string_view, 6> kSyntheticColumns{"fidelity",  "clipped_ball_count", "pce",
                                                            "authentic", "nearest_real",       "nearest_real_distance"};
constexpr std::array<std::string_view, 3> kRealColumns{"coverage", "ball_synthetic_count", "rce"};

/// A list of what `jsonOf` makes of each item.
template <typename Items, typename JsonOf>
Json listOf(const Items& items, const JsonOf& jsonOf) {
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(jsonOf(item));
    return list;
}

/// Largest number of samples per finding in the JSON output; the CSV files contain all.
constexpr std::size_t kListedRows = 100;

/// Order of one side's columns in the files: `first`, the remaining columns of the catalogue, then external ones.
std::vector<std::string_view> columnOrder(Side side, std::span<const std::string_view> first, const ModelAudit& model) {
    std::vector<std::string_view> ids(first.begin(), first.end());
    for (const Column& column : columnCatalog())
        if (column.side == side && std::find(first.begin(), first.end(), column.id) == first.end() &&
            model.hasColumn(column.id))
            ids.push_back(column.id);
    for (const ColumnValues& values : model.columns)
        if (values.external && values.external->column().side == side)
            ids.push_back(values.id);
    return ids;
}

std::string samplesAsCsv(const EmbeddingSet& set, const AuditResult& audit, const ModelAudit& model,
                         std::span<const std::string_view> ids) {
    std::string text = sampleColumns(set);
    std::vector<std::pair<const Column*, const std::vector<double>*>> columns;
    for (const std::string_view id : ids) {
        text += ',';
        appendCsvField(text, id);
        columns.emplace_back(model.findColumn(id), &model.column(id));
    }
    text += '\n';
    for (std::size_t row = 0; row < set.rows(); ++row) {
        appendSample(text, set, row);
        for (const auto& [column, values] : columns)
            text.append(",").append(valueText(*column, audit.valueInFile(*column, (*values)[row])));
        text += '\n';
    }
    return text;
}

Json lineAsJson(const CurveLine& line) {
    Json json{{"y", line.y}};
    if (!line.low.empty())
        json["low"] = line.low;
    if (!line.high.empty())
        json["high"] = line.high;
    return json;
}

/// {"x": [..], "y": [..]} for a curve with one line, {"x": [..], "lines": {name: {"y": [..]}}} for several lines.
Json curveAsJson(const CurveValues& curve) {
    Json json{{"x", curve.x}};
    if (curve.lines.size() == 1 && curve.lines.front().name.empty()) {
        json.update(lineAsJson(curve.lines.front()));
        return json;
    }
    for (const CurveLine& line : curve.lines)
        json["lines"][line.name] = lineAsJson(line);
    return json;
}

/// The requested curves of one model, or of the whole audit (empty name).
Json requestedAsJson(const AuditResult& audit, std::string_view model) {
    Json curves = Json::object();
    for (const RequestedCurve& curve : audit.curves)
        if (curve.model == model) {
            curves[curve.key] = curveAsJson(curve.values);
            curves[curve.key]["note"] = curve.note;
        }
    return curves;
}

/// Position of each of the model's scores on the bad-fraction curve; empty when the audit has no such curve.
Json equivalentBadFractions(const AuditResult& audit, const ModelAudit& model) {
    Json fractions = Json::object();
    if (const RequestedCurve* curve = findRequestedCurve(audit, "bad_fraction"))
        for (const CurveLine& line : curve->values.lines)
            if (model.hasMetric(line.name)) // --quick leaves some out
                fractions[line.name] = equivalentBadFraction(curve->values, line.name, model.metric(line.name));
    return fractions;
}

Json diagnosticsAsJson(const EmbeddingSet& real, const Diagnostics& diagnostics) {
    const auto stepAsJson = [](const DensityStep& step) {
        return Json{{"metric", step.metric},
                    {"change", step.change},
                    {"value", step.value},
                    {"over_occurring_fraction", step.overOccurring},
                    {"largest_contribution", step.largestContribution}};
    };
    const auto ballAsJson = [&](const FullBall& ball) {
        return Json{{"row", real.fileRow(ball.row)}, {"id", real.idText(ball.row)},
                    {"count", ball.count},           {"clipped_count", ball.clippedCount},
                    {"radius", ball.radius},         {"radius_to_median", ball.radiusToMedian}};
    };
    return {{"density_steps", listOf(diagnostics.densitySteps, stepAsJson)},
            {"ball_occupancy",
             {{"synthetic_samples", BallOccupancy::kNames},
              {"balls", diagnostics.occupancy.balls},
              {"clipped_balls", diagnostics.occupancy.clippedBalls}}},
            {"fullest_balls", listOf(diagnostics.fullestBalls, ballAsJson)},
            {"fullest_balls_share", diagnostics.fullestShare}};
}

Json classMeansAsJson(const EmbeddingSet& real, const ClassMeans& means) {
    const auto shiftAsJson = [&](const ClassShift& shift) {
        return Json{{"label", real.labels().names[shift.realClass]},
                    {"real", shift.real},
                    {"synthetic", shift.synthetic},
                    {"distance", shift.distance},
                    {"by_chance", shift.byChance}};
    };
    return {{"frechet_distance", means.frechetDistance}, {"classes", listOf(means.classes, shiftAsJson)}};
}

Json metricsObject(std::span<const MetricValue> metrics) {
    Json values = Json::object();
    for (const MetricValue& metric : metrics) {
        const Metric* row = findMetric(metric.id);
        const bool isCount = row != nullptr && row->unit == Unit::Count; // written without a fraction
        values[std::string(metric.id)] = isCount ? Json(static_cast<std::int64_t>(metric.value)) : Json(metric.value);
    }
    return values;
}

/// {"classes": [{"label", "real", "synthetic", "means": {column: mean}}], "missing_in_synthetic": [label]}
Json byClassAsJson(const ByClass& byClass) {
    const auto scoresAsJson = [&](const ClassScores& scores) {
        Json json{{"label", scores.label}};
        if (scores.real)
            json["real"] = *scores.real;
        if (scores.synthetic)
            json["synthetic"] = *scores.synthetic;
        json["means"] = Json::object();
        for (std::size_t c = 0; c < byClass.columns.size(); ++c)
            json["means"][std::string(byClass.columns[c])] = scores.means[c];
        return json;
    };
    return {{"classes", listOf(byClass.classes, scoresAsJson)}, {"missing_in_synthetic", byClass.missing}};
}

Json compatAsJson(const CompatResult& compat) {
    Json metrics = Json::object();
    for (const CompatValue& value : compat.metrics)
        metrics[value.name] = value.isCurve ? Json(value.values) : Json(value.values.front());
    return {{"program", compat.program->id},
            {"source", compat.program->source},
            {"version", compat.program->version},
            {"metrics", std::move(metrics)}};
}

Json rowAndId(const EmbeddingSet& set, std::uint32_t row) {
    return {{"row", set.fileRow(row)}, {"id", set.idText(row)}};
}

/// The findings, most severe first; rows by number, and by id when the set has ids.
Json findingsAsJson(const EmbeddingSet& real, const ModelAudit& model) {
    return listOf(model.findings, [&](const Finding& finding) {
        Json json{{"id", finding.kind->id}, {"title", finding.kind->title},      {"measure", finding.kind->measure},
                  {"value", finding.value}, {"marks_model", finding.marksModel}, {"sentence", finding.sentence}};
        if (finding.low)
            json["interval"] = {{"low", *finding.low}, {"high", *finding.high}};
        if (!finding.advice.empty())
            json["advice"] = finding.advice;
        if (!finding.classes.empty())
            json["classes"] = finding.classes;
        if (!finding.rows.empty()) {
            json["side"] = finding.side == Side::Real ? "real" : "synthetic";
            json["samples"] = finding.rows.size();
            const EmbeddingSet& set = finding.side == Side::Real ? real : *model.set;
            const auto first = std::span(finding.rows).first(std::min(kListedRows, finding.rows.size()));
            json["first_samples"] = listOf(first, [&](std::uint32_t row) { return rowAndId(set, row); });
            json["examples"] = listOf(finding.examples, [&](const FindingExample& example) {
                Json shown = rowAndId(set, example.row);
                shown["count"] = example.count;
                if (example.original)
                    shown["original"] = rowAndId(real, *example.original);
                return shown;
            });
        }
        if (!finding.rules.empty())
            json["rules"] = Json::parse(rulesToJson(finding.rules))["rules"];
        return json;
    });
}

Json modelAsJson(const AuditResult& audit, const ModelAudit& model) {
    Json intervals = Json::object();
    for (const MetricInterval& interval : model.intervals)
        intervals[std::string(interval.id)] = {{"low", interval.low}, {"high", interval.high}};
    Json curves = Json::object();
    for (const CurveValues& curve : model.curves)
        curves[std::string(curve.id)] = curveAsJson(curve);
    curves.update(requestedAsJson(audit, model.name));
    Json json{{"name", model.name},
              {"file", utf8OrEscaped(model.set->source().file)},
              {"rows", model.set->rows()},
              {"sha256", model.set->source().sha256},
              {"backend", model.backend},
              {"seconds", model.seconds},
              {"summary", model.summary},
              {"findings", findingsAsJson(*audit.real->set, model)},
              {"metrics", metricsObject(model.metrics)},
              {"intervals", std::move(intervals)},
              {"curves", std::move(curves)},
              {"diagnostics", diagnosticsAsJson(*audit.real->set, model.diagnostics)}};
    json["diagnostics"].update(Json::parse(featuresAsJson(*audit.real->set, model)));
    json.update(Json::parse(usefulAsJson(audit, model)));
    if (model.classMeans)
        json["diagnostics"]["class_means"] = classMeansAsJson(*audit.real->set, *model.classMeans);
    if (!model.hardware.empty())
        json["hardware"] = model.hardware;
    if (auto fractions = equivalentBadFractions(audit, model); !fractions.empty())
        json["equivalent_bad_fraction"] = std::move(fractions);
    if (const std::optional<ByClass> byClass = scoresByClass(*audit.real->set, model))
        json["by_class"] = byClassAsJson(*byClass);
    if (Json nearest = Json::parse(nearestClassesAsJson(audit, model)); !nearest.is_null())
        json["nearest_classes"] = std::move(nearest);
    return json;
}

/// The embeddings in which alpha-precision and beta-recall were evaluated, with their parameters.
Json evaluationAsJson(const RealDescription* described) {
    Json json = Json::object();
    if (described == nullptr)
        return json;
    if (described->centre)
        json["identity"] = {{"centre", "mean"}};
    if (described->oneClass) {
        const OneClassModel& model = described->oneClass->model;
        json["one_class"] = {{"centre", "ones"},
                             {"dimensions", model.network.dim()},
                             {"hidden", {OneClassNetwork::kHidden, OneClassNetwork::kHidden}},
                             {"optimizer", "AdamW"},
                             {"learning_rate", model.options.adam.learningRate},
                             {"weight_decay", model.options.adam.weightDecay},
                             {"epochs", model.options.epochs},
                             {"nu", model.options.nu},
                             {"held_back_rows", model.heldBackRows},
                             {"seed", model.seed}};
    }
    return json;
}

/// Per column {"quantiles": {"0.05": value}, "missing": count}.
Json heldOutAsJson(const AuditResult& audit) {
    Json json = Json::object();
    for (const HeldOutQuantiles& entry : heldOutQuantiles(audit)) {
        Json quantiles = Json::object();
        for (std::size_t q = 0; q < entry.values.size(); ++q)
            quantiles[numberText(HeldOutQuantiles::kShares[q])] = entry.values[q];
        json[std::string(entry.column)] = {{"quantiles", std::move(quantiles)}, {"missing", entry.missing}};
    }
    return json;
}

/// Adds the changes to the columns of tables.
void addTableValues(Json& json, const ValuePreparation& preparation) {
    if (!preparation.dates.empty())
        json["dates"] = listOf(preparation.dates, [](const DateColumn& column) {
            return Json{{"feature", column.column}, {"name", column.name}, {"earliest_day", column.earliest}};
        });
    if (!preparation.filled.empty())
        json["filled"] = listOf(preparation.filled, [](const MissingColumn& column) {
            return Json{{"column", column.column}, {"median", column.median}};
        });
    if (!preparation.ignoredColumns.empty())
        json["ignored_columns"] = preparation.ignoredColumns;
    for (const ColumnChoice& one : preparation.columnKinds)
        json["column_kinds"][one.name] = nameOf(one.kind);
    if (!preparation.rowNumbers.empty())
        json["row_numbers"] = preparation.rowNumbers;
}

/// Where the groups come from, unless the reader found them by itself, and how many there are.
Json groupsAsJson(const EmbeddingSet& set) {
    const SourceInfo& source = set.source();
    Json json = Json::object();
    const ColumnChoice* said = findBy(set.preparation()->columnKinds, &ColumnChoice::kind, ColumnKind::Group);
    if (!source.groupsSha256.empty())
        json = {{"file", utf8OrEscaped(source.groups)}, {"sha256", source.groupsSha256}};
    else if (!source.groups.empty())
        json["column"] = source.groups;
    else if (said != nullptr)
        json["column"] = said->name;
    json["count"] = set.groups().classCount();
    return json;
}

/// How the values of the files were changed.
Json preparationAsJson(const ValuePreparation& preparation) {
    Json json{{"scale", nameOf(preparation.scaling)},
              {"missing", nameOf(preparation.missing)},
              {"drop_nan", preparation.missing == Missing::Drop},
              {"one_hot", preparation.oneHot},
              {"text", preparation.text()}};
    if (preparation.columns > 0)
        json["columns"] = preparation.columns;
    for (std::size_t c = 0; c < preparation.offset.size(); ++c)
        if (preparation.offset[c] != 0.0)
            json["offsets"].push_back({{"column", c}, {"offset", preparation.offset[c]}});
    if (preparation.scaling == Scaling::ZScore) {
        json["mean"] = preparation.mean;
        json["standard_deviation"] = preparation.spread;
        json["unscaled_columns"] = preparation.unscaled;
    }
    // Only the audit file stores the axes.
    if (preparation.scaling == Scaling::PcaWhiten || preparation.scaling == Scaling::Pca)
        json["component_standard_deviation"] = preparation.spread;
    if (preparation.clips != ClipSample::None)
        json["sample"] = preparation.clips == ClipSample::Mean ? "clip" : "frame";
    if (const WindowShape& window = preparation.window; window.steps > 0) {
        json["steps"] = window.steps;
        json["features"] = window.features;
    }
    if (preparation.scaling == Scaling::Features) { // equal for every step
        const auto ofOneStep = [&](const std::vector<double>& all) {
            return std::span(all).first(preparation.window.features);
        };
        json["mean"] = ofOneStep(preparation.mean);
        json["standard_deviation"] = ofOneStep(preparation.spread);
    }
    if (!preparation.categories.empty())
        json["categories"] = listOf(preparation.categories, [](const CategoryColumn& column) {
            return Json{{"feature", column.column}, {"name", column.name}, {"categories", column.categories}};
        });
    addTableValues(json, preparation);
    return json;
}

Json comparisonsAsJson(const AuditResult& audit) {
    return listOf(compareAll(audit), [&](const ModelComparison& comparison) {
        Json metrics = Json::object();
        for (const MetricDifference& metric : comparison.metrics)
            metrics[std::string(metric.id)] = {{"difference", metric.difference},
                                               {"low", metric.low},
                                               {"high", metric.high},
                                               {"excludes_zero", metric.excludesZero()}};
        return Json{{"first", audit.models[comparison.first]->name},
                    {"second", audit.models[comparison.second]->name},
                    {"metrics", std::move(metrics)}};
    });
}

} // namespace

std::string metricsAsJson(std::span<const MetricValue> metrics) {
    return metricsObject(metrics).dump();
}

std::string scoresAsJson(const AuditResult& audit, std::span<const CompatResult> compat) {
    const EmbeddingSet& real = *audit.real->set;
    Json json{{"assay", kVersion},
              {"schema", kJsonSchema},
              {"k", audit.k},
              {"seed", audit.seed},
              {"cover", {{"k", audit.cover.k}, {"c", audit.cover.c}}},
              {"false_discovery_rate", audit.falseDiscoveryRate},
              {"real",
               {{"file", utf8OrEscaped(real.source().file)},
                {"rows", real.rows()},
                {"dimensions", real.dim()},
                {"sha256", real.source().sha256}}},
              {"evaluation_embeddings", evaluationAsJson(audit.described.get())},
              {"models", Json::array()}};
    // Writes pictures and labels from other files, groups, the notes, and a built-in embedding, when there are any.
    const auto addNotes = [](Json& input, const EmbeddingSet& set) {
        if (!set.source().pictures.empty())
            input["pictures"] = utf8OrEscaped(set.source().pictures);
        if (!set.source().labels.empty())
            input["labels"] = {{"file", utf8OrEscaped(set.source().labels)}, {"sha256", set.source().labelsSha256}};
        if (set.hasGroups())
            input["groups"] = groupsAsJson(set);
        if (!set.source().notes.empty())
            input["notes"] = set.source().notes;
        if (!set.source().droppedRows.empty())
            input["dropped_rows"] = set.source().droppedRows;
    };
    if (audit.computedBy != kVersion)
        json["computed_by"] = audit.computedBy;
    if (!real.preparation()->isNone())
        json["preparation"] = preparationAsJson(*real.preparation());
    addNotes(json["real"], real);
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        json["models"].push_back(modelAsJson(audit, *audit.models[m]));
        addNotes(json["models"].back(), *audit.models[m]->set);
        if (m < compat.size())
            json["models"].back()["compat"] = compatAsJson(compat[m]);
    }
    if (audit.models.size() > 1)
        json["comparisons"] = comparisonsAsJson(audit);
    if (audit.sampleScores)
        json["external_columns"] = Json::parse(externalColumnsAsJson(audit));
    json["curves"] = requestedAsJson(audit, {});
    if (audit.heldOut) {
        const EmbeddingSet& heldOut = *audit.heldOut->audit->set;
        json["held_out"] = {{"file", utf8OrEscaped(heldOut.source().file)},
                            {"rows", heldOut.rows()},
                            {"sha256", heldOut.source().sha256}};
        addNotes(json["held_out"], heldOut);
        json["diagnostics"]["held_out"] = heldOutAsJson(audit);
    }
    // File names need not be UTF-8; what is not is replaced, so that the output stays JSON.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string syntheticScoresAsCsv(const AuditResult& audit, const ModelAudit& model) {
    return samplesAsCsv(*model.set, audit, model, columnOrder(Side::Synthetic, kSyntheticColumns, model));
}

std::string realScoresAsCsv(const AuditResult& audit, const ModelAudit& model) {
    return samplesAsCsv(*audit.real->set, audit, model, columnOrder(Side::Real, kRealColumns, model));
}

} // namespace assay
