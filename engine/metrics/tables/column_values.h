#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// Numbers that never change; copies share them.
class SharedValues {
public:
    SharedValues() = default;
    // Implicit: a column is made of the vector that was computed.
    SharedValues(std::vector<double> values) // NOLINT(google-explicit-constructor)
        : values_(std::make_shared<const std::vector<double>>(std::move(values))) {}

    const std::vector<double>& get() const noexcept {
        static const std::vector<double> none;
        return values_ ? *values_ : none;
    }
    operator const std::vector<double>&() const noexcept { return get(); } // NOLINT(google-explicit-constructor)
    std::size_t size() const noexcept { return get().size(); }
    double operator[](std::size_t row) const { return get()[row]; }
    auto begin() const noexcept { return get().begin(); }
    auto end() const noexcept { return get().end(); }

    /// Whether both are the same object, which they are after copying.
    bool isSameAs(const SharedValues& other) const noexcept { return values_ == other.values_; }

private:
    std::shared_ptr<const std::vector<double>> values_;
};

/// A per-sample column that a table from elsewhere adds to the catalogue's (SampleScores). Owns the texts of its row.
class ExternalColumn {
public:
    /// Texts of a column's row in the catalogue.
    struct Row {
        std::string id, title, definition;
        Unit unit = Unit::Ratio;
        Side side = Side::Synthetic;
    };

    explicit ExternalColumn(Row row) : row_(std::move(row)) {}
    ExternalColumn(const ExternalColumn&) = delete;
    ExternalColumn& operator=(const ExternalColumn&) = delete;

    const Column& column() const noexcept { return column_; }

private:
    Row row_;
    Column column_{row_.id, row_.title, row_.unit, Direction::Neutral, row_.side, row_.definition, {}, {}, nullptr};
};

/// Ids of external columns start with this, and no id of the catalogue does.
inline constexpr std::string_view kExternalPrefix = "external_";

constexpr bool isExternal(std::string_view column) {
    return column.starts_with(kExternalPrefix);
}

/// Values of one per-sample column of one model. `id` is a column's id in the catalogue, or that of an external column;
/// row i belongs to row i of the set of the column's side.
struct ColumnValues {
    std::string_view id;
    SharedValues values;
    std::shared_ptr<const ExternalColumn> external{}; ///< null for a column of the catalogue
};

} // namespace assay
