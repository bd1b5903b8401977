#include "engine/gpu/search/difference.h"

#include "engine/base/number_text.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace assay::cuda {
namespace {

std::size_t rowAt(std::span<const std::uint32_t> rows, std::size_t entry) {
    return rows.empty() ? entry : rows[entry];
}

std::string sizeDifference(const char* what, std::size_t found, std::size_t expected) {
    return fmt::format("{}: expected {} values, found {}", what, expected, found);
}

std::string neighborText(const NeighborTable& table, std::size_t row, std::size_t rank) {
    return fmt::format("row {} at distance {}", table.indexAt(row, rank), numberText(table.distanceAt(row, rank)));
}

/// One kind of count of a side, and its title.
struct Count {
    std::vector<std::uint32_t> SideResult::*values;
    const char* title;
};

constexpr std::array kCounts{Count{&SideResult::inside, "rows of the other set in its ball"},
                             Count{&SideResult::insideInner, "rows of the other set in its inner ball"},
                             Count{&SideResult::holding, "balls of the other set that hold it"},
                             Count{&SideResult::innerHolding, "inner balls of the other set that hold it"}};

std::string sideDifference(const SideResult& found, const SideResult& expected, std::span<const std::uint32_t> rows) {
    if (std::string fault = firstDifference(found.nearest, expected.nearest, rows); !fault.empty())
        return fault;
    for (const Count& count : kCounts) {
        const std::vector<std::uint32_t>& values = found.*count.values;
        const std::vector<std::uint32_t>& right = expected.*count.values;
        for (std::size_t entry = 0; entry < right.size(); ++entry) {
            const std::size_t row = rowAt(rows, entry);
            if (row >= values.size())
                return sizeDifference(count.title, values.size(), right.size());
            if (values[row] != right[entry])
                return fmt::format("row {}, {}: expected {}, found {}", row, count.title, right[entry], values[row]);
        }
    }
    return {};
}

} // namespace

std::string firstDifference(const NeighborTable& found, const NeighborTable& expected,
                            std::span<const std::uint32_t> rows) {
    if (found.k != expected.k)
        return sizeDifference("neighbours of a row", found.k, expected.k);
    for (std::size_t entry = 0; entry < expected.rows(); ++entry) {
        const std::size_t row = rowAt(rows, entry);
        if (row >= found.rows())
            return sizeDifference("rows with neighbours", found.rows(), expected.rows());
        for (std::size_t rank = 0; rank < expected.k; ++rank)
            if (found.indexAt(row, rank) != expected.indexAt(entry, rank) ||
                found.distanceAt(row, rank) != expected.distanceAt(entry, rank))
                return fmt::format("row {}, neighbour {}: expected {}, found {}", row, rank + 1,
                                   neighborText(expected, entry, rank), neighborText(found, row, rank));
    }
    return {};
}

std::string firstDifference(const PassResult& found, const PassResult& expected, const ComparedRows& rows) {
    if (const std::string fault = sideDifference(found.a, expected.a, rows.a); !fault.empty())
        return "first set, " + fault;
    if (const std::string fault = sideDifference(found.b, expected.b, rows.b); !fault.empty())
        return "second set, " + fault;
    return {};
}

} // namespace assay::cuda
