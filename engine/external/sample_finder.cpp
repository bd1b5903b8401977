#include "engine/external/sample_finder.h"

#include "engine/data/embedding_set.h"
#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max();

/// Without the extension: "GAN.npz" is "GAN".
std::string withoutExtension(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    // "cfg1.5" has no extension: those are letters.
    const bool isExtension = dot != std::string::npos && dot > 0 &&
                             std::any_of(name.begin() + static_cast<std::ptrdiff_t>(dot), name.end(),
                                         [](unsigned char c) { return std::isalpha(c) != 0; });
    return isExtension ? name.substr(0, dot) : name;
}

std::string stemOf(const std::string& id) {
    return withoutExtension(id.substr(id.find_last_of("/\\") + 1));
}

} // namespace

std::size_t fileRows(const EmbeddingSet& set) {
    return set.rows() + set.source().droppedRows.size();
}

std::optional<std::uint32_t> rowOfFileRow(const EmbeddingSet& set, std::size_t fileRow) {
    const auto& dropped = set.source().droppedRows;
    const auto at = std::ranges::lower_bound(dropped, fileRow);
    if (fileRow >= fileRows(set) || (at != dropped.end() && *at == fileRow))
        return std::nullopt;
    return static_cast<std::uint32_t>(fileRow - static_cast<std::size_t>(at - dropped.begin()));
}

std::optional<std::size_t> findName(const std::vector<std::string>& names, const std::string& name) {
    auto found = std::ranges::find(names, name);
    if (found == names.end())
        found = std::ranges::find_if(names, [wanted = lowerCase(withoutExtension(name))](const std::string& one) {
            return lowerCase(withoutExtension(one)) == wanted;
        });
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

SampleFinder::SampleFinder(const EmbeddingSet& set, bool byRow)
    : set_(&set), byRow_(byRow || !set.hasIds()), numbers_(byRow) {}

void SampleFinder::fill(Rows& rows, bool loose) {
    rows.reserve(set_->rows());
    for (std::uint32_t row = 0; row < set_->rows(); ++row)
        if (const auto [at, isNew] = rows.emplace(loose ? stemOf(set_->idText(row)) : set_->idText(row), row); !isNew)
            at->second = kSeveral;
}

std::optional<std::uint32_t> SampleFinder::find(const std::string& name) {
    if (byRow_) {
        // "0007" is a name; only a column of row numbers means them.
        if (!numbers_ && name.size() > 1 && name.front() == '0' && name[1] != '.')
            return std::nullopt;
        // "7.0" is what programs write that hold every column as floating point.
        const std::optional<double> number = numberOf(name);
        const bool isRow = number && *number >= 0.0 && *number < 4294967295.0 && *number == std::floor(*number);
        return isRow ? rowOfFileRow(*set_, static_cast<std::size_t>(*number)) : std::nullopt;
    }
    if (exact_.empty())
        fill(exact_, false);
    auto found = exact_.find(name);
    if (found != exact_.end())
        return found->second == kSeveral ? std::nullopt : std::optional(found->second);
    if (loose_.empty())
        fill(loose_, true);
    found = loose_.find(stemOf(name));
    return found == loose_.end() || found->second == kSeveral ? std::nullopt : std::optional(found->second);
}

std::string SampleFinder::expected(const std::string& setName) const {
    if (byRow_)
        return "the number of a sample of " + printable(setName) + ", from 0 to " + std::to_string(fileRows(*set_) - 1);
    return "the id of one sample of " + printable(setName) + ", such as '" + printable(set_->idText(0)) + "'";
}

} // namespace assay
