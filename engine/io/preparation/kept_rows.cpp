#include "engine/io/preparation/preparation_steps.h"

#include "engine/data/chosen_pictures.h"
#include "engine/data/finite.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/reserve.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kNamedRows = 10;

/// Keeps only the entries of the given rows. @param before number of rows before the removal
template <typename Entry>
void keep(std::vector<Entry>& entries, const std::vector<std::size_t>& rows, std::size_t before) {
    if (entries.size() != before)
        return; // none, or too few: EmbeddingSet then reports it
    std::size_t to = 0;
    for (const std::size_t row : rows) {
        if (to != row)
            entries[to] = std::move(entries[row]);
        ++to;
    }
    entries.resize(to);
}

std::string noteText(const EmbeddingParts& parts, const std::vector<std::size_t>& dropped) {
    const bool one = dropped.size() == 1;
    const std::string text = std::to_string(dropped.size()) +
                             (one ? " row with a value that is" : " rows with values that are") + " not finite " +
                             (one ? "was" : "were") + " dropped: ";
    const auto nameOf = [&](std::size_t row) {
        return std::to_string(row) + (parts.ids.empty() ? "" : " ('" + printable(parts.ids[row], 40) + "')");
    };
    return text + joined(dropped, ", ", nameOf, kNamedRows) + " (counted from 0)";
}

void keepLabels(ClassLabels& labels, const std::vector<std::size_t>& rows, std::size_t before) {
    keep(labels.code, rows, before);
    std::vector<std::uint32_t> renumbered(labels.names.size(), 0);
    for (const std::uint32_t code : labels.code)
        renumbered[code] = 1;
    std::vector<std::string> names; // classes without remaining rows are removed
    for (std::size_t code = 0; code < renumbered.size(); ++code)
        if (renumbered[code] != 0) {
            renumbered[code] = static_cast<std::uint32_t>(names.size());
            names.push_back(labels.names[code]);
        }
    for (std::uint32_t& code : labels.code)
        code = renumbered[code];
    labels.names = std::move(names);
}

} // namespace

void dropNotFinite(EmbeddingParts& parts, bool wanted, const std::string& place) {
    if (!wanted || parts.values.size() != parts.rows * parts.dim || parts.dim == 0 ||
        firstNotFinite(parts.values.span()) == parts.values.size())
        return;
    const std::span<const float> values = parts.values.span();
    std::vector<std::size_t> rows;
    std::vector<std::size_t> dropped;
    for (std::size_t row = 0; row < parts.rows; ++row) {
        const auto one = values.subspan(row * parts.dim, parts.dim);
        (firstNotFinite(one) == one.size() ? rows : dropped).push_back(row);
    }
    std::vector<std::size_t> notFinite(parts.dim, 0);
    for (const std::size_t row : dropped)
        for (std::size_t c = 0; c < parts.dim; ++c)
            notFinite[c] += std::isfinite(values[row * parts.dim + c]) ? 0 : 1;
    if (rows.empty())
        refuse(place, "some rows of finite values", "none");
    if (!place.empty())
        parts.source.notes.push_back(place + ": " + noteText(parts, dropped));
    std::vector<float> kept;
    reserveFor(kept, rows.size() * parts.dim, place);
    for (const std::size_t row : rows)
        kept.insert(kept.end(), values.begin() + static_cast<std::ptrdiff_t>(row * parts.dim),
                    values.begin() + static_cast<std::ptrdiff_t>((row + 1) * parts.dim));
    const std::size_t before = parts.rows;
    if (parts.ids.empty())
        for (const std::size_t row : rows)
            parts.ids.push_back(std::to_string(row));
    else
        keep(parts.ids, rows, before);
    if (parts.labels.code.size() == before)
        keepLabels(parts.labels, rows, before);
    keep(parts.fileFacts.rowHash, rows, before);
    if (parts.images && parts.images->rows() == before)
        parts.images = chosenPictures(std::move(parts.images), {rows.begin(), rows.end()});
    parts.values = FloatStorage(std::move(kept));
    parts.rows = rows.size();
    parts.source.droppedRows = std::move(dropped);
    parts.source.droppedValues = std::move(notFinite);
}

} // namespace assay
