#pragma once

#include "engine/metrics/features/table_differences.h"
#include "engine/store/members.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The fields of a comparison of tables in an audit file, as audit_fields.h has those of an audit.
namespace assay::store {

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

} // namespace assay::store
