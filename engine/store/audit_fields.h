#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/metrics/features/table_differences.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/tables/metric.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The fields of an audit in an audit file and their paths: one description for both writing and reading (ValueWriter,
// ValueReader). Values that can be derived from other fields or from the inputs are not stored.

namespace assay::store {

/// One member of all elements of a vector, as an array.
template <typename Archive, typename Rows, typename Row, typename Member>
void members(Archive& archive, const std::string& path, Rows& rows, Member Row::*member) {
    std::vector<Member> values(rows.size());
    std::ranges::transform(rows, values.begin(), member);
    archive.array(path, values);
    if constexpr (!std::is_const_v<Rows>) {
        rows.resize(values.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            rows[r].*member = values[r];
    }
}

template <typename Archive, typename Correlations>
void correlations(Archive& archive, const std::string& path, Correlations& found) {
    archive.number(path + "/real_rows", found.realRows);
    archive.number(path + "/synthetic_rows", found.syntheticRows);
    archive.number(path + "/features", found.features);
    archive.number(path + "/left_out", found.leftOut);
    archive.number(path + "/too_rare", found.tooRare);
    archive.number(path + "/compared", found.compared);
    archive.number(path + "/differing", found.differing);
    members(archive, path + "/first", found.pairs, &CorrelationDifference::first);
    members(archive, path + "/second", found.pairs, &CorrelationDifference::second);
    members(archive, path + "/real", found.pairs, &CorrelationDifference::real);
    members(archive, path + "/synthetic", found.pairs, &CorrelationDifference::synthetic);
    members(archive, path + "/low", found.pairs, &CorrelationDifference::low);
    members(archive, path + "/high", found.pairs, &CorrelationDifference::high);
    members(archive, path + "/by_chance", found.pairs, &CorrelationDifference::byChance);
    members(archive, path + "/p_value", found.pairs, &CorrelationDifference::pValue);
}

/// One text member of all elements of a vector; a reader fills those of a vector that has its size already.
template <typename Archive, typename Rows, typename Row>
void textMembers(Archive& archive, const std::string& path, Rows& rows, std::string Row::*member) {
    constexpr bool reads = requires {
        archive.refuse(path, path);
    };
    std::vector<std::string> texts;
    if constexpr (!reads)
        for (const auto& row : rows)
            texts.push_back(row.*member);
    archive.texts(path, texts);
    if constexpr (reads) {
        if (texts.size() != rows.size())
            archive.refuse(path,
                           "expected " + std::to_string(rows.size()) + " texts, found " + std::to_string(texts.size()));
        for (std::size_t r = 0; r < rows.size(); ++r)
            rows[r].*member = std::move(texts[r]);
    }
}

/// The categories of all columns one after the other, and how many each column has.
template <typename Archive, typename Columns>
void categories(Archive& archive, const std::string& path, Columns& columns) {
    members(archive, path + "/feature", columns, &CategoryDifference::feature);
    members(archive, path + "/distance", columns, &CategoryDifference::distance);
    members(archive, path + "/by_chance", columns, &CategoryDifference::byChance);
    textMembers(archive, path + "/column", columns, &CategoryDifference::column);
    std::vector<std::uint64_t> counts;
    std::vector<CategoryCounts> all;
    for (const CategoryDifference& column : columns) {
        counts.push_back(column.categories.size());
        all.insert(all.end(), column.categories.begin(), column.categories.end());
    }
    archive.array(path + "/categories", counts);
    members(archive, path + "/real", all, &CategoryCounts::real);
    members(archive, path + "/synthetic", all, &CategoryCounts::synthetic);
    members(archive, path + "/p_value", all, &CategoryCounts::pValue);
    textMembers(archive, path + "/text", all, &CategoryCounts::text);
    if constexpr (!std::is_const_v<Columns>) {
        std::size_t next = 0;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (c >= counts.size() || counts[c] > all.size() - next)
                archive.refuse(path + "/categories", "expected the number of categories of each column");
            for (std::uint64_t i = 0; i < counts[c]; ++i)
                columns[c].categories.push_back(std::move(all[next++]));
        }
    }
}

template <typename Archive, typename Table>
void tableDifferences(Archive& archive, const std::string& path, Table& table) {
    correlations(archive, path + "/correlations", table.correlations);
    categories(archive, path + "/categories", table.categories);
    auto& missing = table.missing;
    members(archive, path + "/missing/feature", missing, &MissingRate::feature);
    members(archive, path + "/missing/real", missing, &MissingRate::real);
    members(archive, path + "/missing/real_rows", missing, &MissingRate::realRows);
    members(archive, path + "/missing/synthetic", missing, &MissingRate::synthetic);
    members(archive, path + "/missing/synthetic_rows", missing, &MissingRate::syntheticRows);
    members(archive, path + "/missing/p_value", missing, &MissingRate::pValue);
    textMembers(archive, path + "/missing/column", missing, &MissingRate::column);
    archive.text(path + "/missing/unknown", table.missingUnknown);
}

template <typename Archive, typename Table>
void neighbors(Archive& archive, const std::string& path, Table& table) {
    archive.number(path + "/k", table.k);
    archive.array(path + "/index", table.index);
    archive.array(path + "/distance", table.distance);
}

template <typename Archive, typename Real>
void realSet(Archive& archive, const std::string& path, Real& real) {
    archive.number(path + "/k", real.k);
    neighbors(archive, path + "/neighbors", real.neighbors);
    archive.array(path + "/radius", real.radius);
    archive.array(path + "/clipped_radius", real.innerRadius);
    archive.number(path + "/median_radius", real.medianRadius);
    archive.array(path + "/clipped_balls_holding", real.innerHolding);
    archive.number(path + "/entropy", real.entropy);
    archive.number(path + "/not_authentic", real.notAuthentic);
    archive.number(path + "/seconds", real.seconds);
    archive.text(path + "/backend", real.backend);
    archive.text(path + "/hardware", real.hardware);
}

template <typename Archive, typename Scales>
void scales(Archive& archive, const std::string& path, Scales& scales) {
    archive.number(path + "/median_scale", scales.typical);
    archive.number(path + "/largest_scale", scales.largest);
}

template <typename Archive, typename Centre>
void centre(Archive& archive, const std::string& path, Centre& centre) {
    archive.array(path + "/centre", centre.centre);
    archive.array(path + "/distance", centre.distance);
    archive.array(path + "/ascending", centre.ascending);
}

/// Everything except the weights of the network.
template <typename Archive, typename OneClass>
void oneClass(Archive& archive, const std::string& path, OneClass& trained) {
    auto& model = trained.model;
    archive.number(path + "/epochs", model.options.epochs);
    archive.number(path + "/learning_rate", model.options.adam.learningRate);
    archive.number(path + "/weight_decay", model.options.adam.weightDecay);
    archive.number(path + "/beta1", model.options.adam.beta1);
    archive.number(path + "/beta2", model.options.adam.beta2);
    archive.number(path + "/epsilon", model.options.adam.epsilon);
    archive.number(path + "/nu", model.options.nu);
    archive.number(path + "/held_back_share", model.options.heldBackShare);
    archive.number(path + "/held_back_rows", model.heldBackRows);
    archive.number(path + "/seed", model.seed);
    archive.array(path + "/training_loss", model.history.training);
    archive.array(path + "/validation_loss", model.history.validation);
    archive.array(path + "/nearest_real", trained.nearestReal);
    centre(archive, path, trained.centre);
}

template <typename Archive, typename Tables>
void pairTables(Archive& archive, const std::string& path, Tables& tables) {
    neighbors(archive, path + "/synthetic_to_synthetic", tables.syntheticToSynthetic);
    neighbors(archive, path + "/synthetic_to_real", tables.synthetic.nearest);
    neighbors(archive, path + "/real_to_synthetic", tables.real.nearest);
    archive.array(path + "/synthetic_radius", tables.syntheticRadius);
    archive.array(path + "/balls_holding", tables.synthetic.holding);
    archive.array(path + "/clipped_balls_holding", tables.synthetic.innerHolding);
    archive.array(path + "/inside_ball", tables.real.inside);
    archive.array(path + "/inside_clipped_ball", tables.real.insideInner);
    archive.array(path + "/synthetic_balls_holding", tables.real.holding);
}

template <typename Archive, typename Differences>
void featureDifferences(Archive& archive, const std::string& path, Differences& differences) {
    archive.number(path + "/real_rows", differences.realRows);
    archive.number(path + "/synthetic_rows", differences.syntheticRows);
    auto& features = differences.features;
    members(archive, path + "/feature", features, &FeatureDifference::feature);
    members(archive, path + "/distance", features, &FeatureDifference::distance);
    members(archive, path + "/by_chance", features, &FeatureDifference::byChance);
    members(archive, path + "/real_mean", features, &FeatureDifference::realMean);
    members(archive, path + "/real_deviation", features, &FeatureDifference::realDeviation);
    members(archive, path + "/synthetic_mean", features, &FeatureDifference::syntheticMean);
    members(archive, path + "/synthetic_deviation", features, &FeatureDifference::syntheticDeviation);
}

template <typename Archive, typename Means>
void classMeans(Archive& archive, const std::string& path, Means& means) {
    archive.number(path + "/frechet_distance", means.frechetDistance);
    members(archive, path + "/class", means.classes, &ClassShift::realClass);
    members(archive, path + "/real", means.classes, &ClassShift::real);
    members(archive, path + "/synthetic", means.classes, &ClassShift::synthetic);
    members(archive, path + "/distance", means.classes, &ClassShift::distance);
    members(archive, path + "/by_chance", means.classes, &ClassShift::byChance);
}

template <typename Archive, typename Report>
void utility(Archive& archive, const std::string& path, Report& report) {
    archive.text(path + "/why_not", report.whyNot);
    archive.text(path + "/tested_on", report.testedOn);
    archive.number(path + "/trained_on", report.trainedOn);
    archive.number(path + "/tested", report.tested);
    archive.number(path + "/converged", report.converged);
    archive.texts(path + "/classes", report.classes);
    members(archive, path + "/class", report.byClass, &ClassUtility::label);
    members(archive, path + "/class_tested", report.byClass, &ClassUtility::tested);
    members(archive, path + "/class_training", report.byClass, &ClassUtility::training);
    members(archive, path + "/accuracy", report.byClass, &ClassUtility::accuracy);
    members(archive, path + "/real_accuracy", report.byClass, &ClassUtility::realAccuracy);
    members(archive, path + "/actual", report.confusion, &Confusion::actual);
    members(archive, path + "/predicted", report.confusion, &Confusion::predicted);
    members(archive, path + "/count", report.confusion, &Confusion::count);
}

/// The fields of a model that all audits have; scores are stored by their catalogue ids (audit_parts.h).
template <typename Archive, typename Model>
void model(Archive& archive, const std::string& path, Model& audit) {
    archive.text(path + "/name", audit.name);
    archive.array(path + "/mode_counts", audit.modeCounts);
    if constexpr (std::is_const_v<Model>) {
        pairTables(archive, path + "/tables", *audit.tables);
        if (!audit.featureDifferences.features.empty())
            featureDifferences(archive, path + "/features", audit.featureDifferences);
        if (audit.tableDifferences != TableDifferences())
            tableDifferences(archive, path + "/table", audit.tableDifferences);
        if (audit.classMeans)
            classMeans(archive, path + "/class_means", *audit.classMeans);
        if (audit.utility.isKnown())
            utility(archive, path + "/utility", audit.utility);
    } else {
        PairTables tables;
        pairTables(archive, path + "/tables", tables);
        audit.tables = std::make_shared<const PairTables>(std::move(tables));
        if (archive.hasArray(path + "/features/feature"))
            featureDifferences(archive, path + "/features", audit.featureDifferences);
        if (archive.hasArray(path + "/table/correlations/first")) // earlier versions had none
            tableDifferences(archive, path + "/table", audit.tableDifferences);
        if (archive.hasArray(path + "/class_means/class"))
            classMeans(archive, path + "/class_means", audit.classMeans.emplace());
        if (archive.has(path + "/utility/tested_on")) // the first versions had none
            utility(archive, path + "/utility", audit.utility);
    }
    archive.text(path + "/summary", audit.summary);
    archive.text(path + "/backend", audit.backend);
    archive.text(path + "/hardware", audit.hardware);
    archive.number(path + "/seconds", audit.seconds);
}

template <typename Archive, typename Audit>
void parameters(Archive& archive, Audit& audit) {
    archive.number("k", audit.k);
    archive.number("seed", audit.seed);
    archive.number("cover_k", audit.cover.k);
    archive.number("cover_c", audit.cover.c);
    archive.number("false_discovery_rate", audit.falseDiscoveryRate);
}

} // namespace assay::store
