#include "engine/store/audit_parts.h"

#include "engine/audit/findings/findings.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/rules/filter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace assay::store {
namespace {

using nlohmann::json;

/// Path of a catalogue row below `path`.
std::string under(const std::string& path, std::string_view part, std::string_view id) {
    return fmt::format("{}/{}/{}", path, part, id);
}

void writeColumns(ValueWriter& values, const std::string& path, const std::vector<ColumnValues>& columns) {
    for (const ColumnValues& column : columns)
        if (!column.external) // those are among the decisions
            values.array(path + "/" + std::string(column.id), column.values.get());
}

std::vector<ColumnValues> readColumns(ValueReader& values, const std::string& path) {
    std::vector<ColumnValues> columns;
    for (const Column& column : columnCatalog())
        if (const std::string at = path + "/" + std::string(column.id); values.hasArray(at)) {
            std::vector<double> numbers;
            values.array(at, numbers);
            columns.push_back({column.id, std::move(numbers)});
        }
    return columns;
}

/// The values of a curve's line, for writing and reading.
template <typename Archive, typename Line>
void lineValues(Archive& archive, const std::string& path, Line& line) {
    archive.array(path + "/y", line.y);
    archive.array(path + "/low", line.low);
    archive.array(path + "/high", line.high);
}

void writeCurve(ValueWriter& values, const std::string& path, const CurveValues& curve) {
    json names = json::array();
    values.array(path + "/x", curve.x);
    for (std::size_t i = 0; i < curve.lines.size(); ++i) {
        names.push_back(curve.lines[i].name);
        lineValues(values, fmt::format("{}/{}", path, i), curve.lines[i]);
    }
    values.text(path + "/lines", names.dump());
}

/// Parses a stored JSON text.
/// @throws Error{BadInput} when it is not JSON, or not of the form that `read` expects
template <typename Read>
auto jsonAt(ValueReader& values, const std::string& path, const Read& read) {
    std::string text;
    values.text(path, text);
    try {
        return read(json::parse(text));
    } catch (const json::exception& error) {
        values.refuse(path, std::string("expected JSON as it is written here, found: ") + error.what());
    }
}

CurveValues readCurve(ValueReader& values, const std::string& path, std::string_view id) {
    CurveValues curve{id, {}, {}};
    values.array(path + "/x", curve.x);
    const auto names =
        jsonAt(values, path + "/lines", [](const json& list) { return list.get<std::vector<std::string>>(); });
    for (std::size_t i = 0; i < names.size(); ++i) {
        CurveLine line{names[i], {}};
        const std::string at = fmt::format("{}/{}", path, i);
        lineValues(values, at, line);
        const auto fits = [&](const std::vector<double>& y) { return y.empty() || y.size() == curve.x.size(); };
        if (line.y.size() != curve.x.size() || !fits(line.low) || !fits(line.high))
            values.refuse(at, fmt::format("expected {} points, found {}", curve.x.size(), line.y.size()));
        curve.lines.push_back(std::move(line));
    }
    return curve;
}

json exampleAsJson(const FindingExample& example) {
    json object{{"row", example.row}, {"count", example.count}};
    if (example.original)
        object["original"] = *example.original;
    return object;
}

FindingExample exampleFromJson(const json& object) {
    FindingExample example{object.at("row").get<std::uint32_t>(), object.at("count").get<std::uint32_t>()};
    if (object.contains("original"))
        example.original = object.at("original").get<std::uint32_t>();
    return example;
}

json findingAsJson(const Finding& finding) {
    json object{{"kind", finding.kind->id},    {"value", finding.value},
                {"marks", finding.marksModel}, {"sentence", finding.sentence},
                {"advice", finding.advice},    {"side", finding.side == Side::Real ? "real" : "synthetic"},
                {"rows", finding.rows},        {"rules", json::parse(rulesToJson(finding.rules))},
                {"classes", finding.classes}};
    if (finding.place && std::isfinite(*finding.place))
        object["place"] = *finding.place;
    if (!finding.examples.empty()) {
        object["examples"] = json::array();
        for (const FindingExample& example : finding.examples)
            object["examples"].push_back(exampleAsJson(example));
        object["example_of"] = finding.exampleOf;
    }
    if (finding.low && finding.high) {
        object["low"] = *finding.low;
        object["high"] = *finding.high;
    }
    return object;
}

/// A kind of finding as files of before 0.3.0 have it.
struct FormerKind {
    std::string_view id;
    std::string_view now;
    double marksFrom; ///< the interval's low end, or the value without one, from which it marked a model
};

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kAny = 1e-12;

constexpr std::array kFormerKinds{FormerKind{"copies", "copy", 0.05},
                                  FormerKind{"over_represented", "crowded", 0.05},
                                  FormerKind{"unrealistic", "unrealistic", 0.05},
                                  FormerKind{"crowded_combinations", "crowded_combinations", 0.05},
                                  FormerKind{"new_combinations", "new_combinations", 0.05},
                                  FormerKind{"collapse", "collapse", 0.75},
                                  FormerKind{"duplicates", "duplicates", 0.05},
                                  FormerKind{"leaks", "leaks", 0.05},
                                  FormerKind{"useless", "useless", 0.05},
                                  FormerKind{"missing_classes", "class_shares", kAny},
                                  FormerKind{"missing_modes", "modes", 0.05},
                                  FormerKind{"missed", "missed", 0.05},
                                  FormerKind{"unnamed_bad", "subtle", 0.25},
                                  FormerKind{"few_samples", "few_samples", 0.1},
                                  FormerKind{"shrunken", "shrunken", 0.25},
                                  FormerKind{"scattered", "scattered", 0.25},
                                  FormerKind{"held_out_leaks", "held_out_contaminated", kNever}};

/// Empty for a kind that the program no longer knows.
std::optional<Finding> findingFromJson(const json& object) {
    const auto recorded = object.at("kind").get<std::string>();
    const FormerKind* former = findBy(kFormerKinds, &FormerKind::id, std::string_view(recorded));
    const FindingKind* kind =
        findBy(findingKinds(), &FindingKind::id, former ? former->now : std::string_view(recorded));
    if (kind == nullptr)
        return std::nullopt;
    Finding finding;
    finding.kind = kind;
    const auto number = [](const json& value) { return value.is_null() ? std::nan("") : value.get<double>(); };
    finding.value = number(object.at("value"));
    finding.sentence = object.at("sentence").get<std::string>();
    finding.advice = object.at("advice").get<std::string>();
    finding.side = object.at("side").get<std::string>() == "real" ? Side::Real : Side::Synthetic;
    finding.rows = object.at("rows").get<std::vector<std::uint32_t>>();
    finding.rules = rulesFromJson(object.at("rules").dump());
    finding.classes = object.at("classes").get<std::vector<std::string>>();
    if (object.contains("examples")) { // the first versions chose none
        for (const json& example : object.at("examples"))
            finding.examples.push_back(exampleFromJson(example));
        finding.exampleOf = object.at("example_of").get<std::vector<std::uint8_t>>();
    }
    if (object.contains("low") && object.contains("high")) {
        finding.low = number(object.at("low"));
        finding.high = number(object.at("high"));
    }
    if (object.contains("marks")) {
        finding.marksModel = object.at("marks").get<bool>();
        if (object.contains("place"))
            finding.place = object.at("place").get<double>();
    } else if (former != nullptr) { // of before 0.3.0, which marked by thresholds
        finding.marksModel = finding.low.value_or(finding.value) >= former->marksFrom;
        if (std::isfinite(former->marksFrom))
            finding.place = 0.0;
    }
    return finding;
}

/// Id of a metric in the file that is read: files of before 0.3.0 have `verdict_crowded` under another name.
std::string_view recordedId(const ValueReader& values, const std::string& path, const Metric& metric) {
    constexpr std::string_view kFormer = "verdict_over_represented";
    return metric.id == "verdict_crowded" && values.has(under(path, "metrics", kFormer)) ? kFormer : metric.id;
}

/// Adds the finding that verdicts rest on earlier statistics, if they do and it is not there already.
void noteOldVerdicts(ValueReader& values, ModelAudit& model) {
    const bool isNoted = findBy(
                             model.findings, [](const Finding& finding) { return finding.kind->id; },
                             std::string_view("old_verdicts")) != nullptr;
    if (!model.hasColumn("verdict") || model.verdictStatistics >= kVerdictStatistics || isNoted)
        return;
    std::string program;
    std::string created;
    values.text("program", program);
    values.text("created", created);
    model.findings.push_back(oldVerdicts(program + ", " + created.substr(0, created.find('T'))));
}

/// A requested curve except its values, for writing and reading.
template <typename Archive, typename Curve>
void requestOf(Archive& archive, const std::string& path, Curve& curve) {
    archive.text(path + "/key", curve.key);
    archive.text(path + "/model", curve.model);
    archive.text(path + "/note", curve.note);
    archive.text(path + "/bad", curve.bad);
    archive.number(path + "/samples", curve.samples);
}

} // namespace

void writeScores(ValueWriter& values, const std::string& path, const ModelAudit& model) {
    for (const MetricValue& metric : model.metrics)
        values.number(under(path, "metrics", metric.id), metric.value);
    for (const MetricInterval& interval : model.intervals) {
        values.number(under(path, "low", interval.id), interval.low);
        values.number(under(path, "high", interval.id), interval.high);
    }
    for (const MetricResamples& resamples : model.resamples) {
        if (!resamples.values.empty())
            values.array(under(path, "resamples", resamples.id), resamples.values);
        if (!resamples.replicates.empty()) {
            values.array(under(path, "without_real", resamples.id), resamples.replicates.withoutReal);
            values.array(under(path, "without_synthetic", resamples.id), resamples.replicates.withoutSynthetic);
        }
    }
    writeColumns(values, path + "/columns", model.columns);
    writeColumns(values, path + "/good", model.good);
    for (const CurveValues& curve : model.curves)
        writeCurve(values, under(path, "curves", curve.id), curve);
    json findings = json::array();
    for (const Finding& finding : model.findings)
        findings.push_back(findingAsJson(finding));
    values.text(path + "/findings", findings.dump());
    if (model.verdictStatistics > 1) // the first version recorded none
        values.number(path + "/verdict_statistics", model.verdictStatistics);
}

void readScores(ValueReader& values, const std::string& path, ModelAudit& model) {
    for (const Metric& metric : metricCatalog()) {
        const std::string_view id = recordedId(values, path, metric);
        if (const std::string at = under(path, "metrics", id); values.has(at)) {
            model.metrics.push_back({metric.id});
            values.number(at, model.metrics.back().value);
        }
        if (const std::string at = under(path, "low", id); values.has(at)) {
            model.intervals.push_back({metric.id});
            values.number(at, model.intervals.back().low);
            values.number(under(path, "high", id), model.intervals.back().high);
        }
        if (const std::string at = under(path, "resamples", id); values.hasArray(at)) {
            model.resamples.push_back({metric.id, {}});
            values.array(at, model.resamples.back().values);
        }
        if (const std::string at = under(path, "without_real", id); values.hasArray(at)) {
            model.resamples.push_back({metric.id, {}});
            Replicates& replicates = model.resamples.back().replicates;
            values.array(at, replicates.withoutReal);
            values.array(under(path, "without_synthetic", id), replicates.withoutSynthetic);
        }
    }
    model.columns = readColumns(values, path + "/columns");
    model.good = readColumns(values, path + "/good");
    for (const Curve& curve : curveCatalog())
        if (const std::string at = under(path, "curves", curve.id); values.has(at + "/lines"))
            model.curves.push_back(readCurve(values, at, curve.id));
    model.findings = jsonAt(values, path + "/findings", [](const json& list) {
        std::vector<Finding> findings;
        for (const json& object : list)
            if (auto finding = findingFromJson(object))
                findings.push_back(std::move(*finding));
        return findings;
    });
    model.verdictStatistics = 1;
    if (const std::string at = path + "/verdict_statistics"; values.has(at))
        values.number(at, model.verdictStatistics);
    noteOldVerdicts(values, model);
}

void writeRequestedCurves(ValueWriter& values, const std::vector<RequestedCurve>& curves) {
    values.number("curves", curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const std::string path = "curves/" + std::to_string(i);
        values.text(path + "/id", std::string(curves[i].values.id));
        requestOf(values, path, curves[i]);
        writeCurve(values, path, curves[i].values);
    }
}

std::vector<RequestedCurve> readRequestedCurves(ValueReader& values) {
    std::vector<RequestedCurve> curves;
    std::size_t count = 0;
    values.number("curves", count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string path = "curves/" + std::to_string(i);
        std::string id;
        values.text(path + "/id", id);
        const Curve* curve = findAnyCurve(id);
        if (curve == nullptr)
            continue;
        RequestedCurve& requested = curves.emplace_back();
        requestOf(values, path, requested);
        requested.values = readCurve(values, path, curve->id);
    }
    return curves;
}

} // namespace assay::store
