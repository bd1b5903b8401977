#include "engine/io/preparation/preparation_steps.h"

#include "engine/base/parallel.h"
#include "engine/io/files/row_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay {
namespace {

struct Hashed {
    std::uint64_t rounded = 0; ///< hash of the row as float32
    std::uint64_t inFile = 0;
    std::size_t row = 0;
};

std::vector<Hashed> hashRows(const EmbeddingParts& parts, const ComputeContext& context) {
    std::vector<Hashed> hashes(parts.rows);
    const std::size_t pieceRows = std::max<std::size_t>(1, (std::size_t{1} << 20) / parts.dim);
    const auto hashRange = [&](std::size_t row, std::size_t last, unsigned) {
        for (; row < last; ++row) {
            std::uint64_t hash = 0;
            for (const float value : parts.values.span().subspan(row * parts.dim, parts.dim))
                hash = rowHashWith(hash, std::bit_cast<std::uint32_t>(value + 0.0F));
            hashes[row] = {hash, parts.fileFacts.rowHash[row], row};
        }
    };
    parallelRanges(parts.rows, pieceRows, context.threads, context.job, hashRange);
    return hashes;
}

} // namespace

void noteEqualRows(EmbeddingParts& parts, const std::string& place, const ComputeContext& context) {
    if (parts.fileFacts.rowHash.size() != parts.rows)
        return;
    std::vector<Hashed> hashes = hashRows(parts, context);
    std::ranges::sort(hashes, {}, [](const Hashed& one) { return std::pair(one.rounded, one.row); });
    std::size_t equal = 0;
    std::pair<std::size_t, std::size_t> example{parts.rows, 0};
    for (std::size_t first = 0; first < hashes.size();) {
        std::size_t end = first + 1;
        std::size_t other = first; // first row that differs in the file
        for (; end < hashes.size() && hashes[end].rounded == hashes[first].rounded; ++end)
            if (other == first && hashes[end].inFile != hashes[first].inFile)
                other = end;
        if (other != first) {
            equal += end - first;
            example = std::min(example, std::pair(hashes[first].row, hashes[other].row));
        }
        first = end;
    }
    if (equal > 0)
        parts.source.notes.push_back(fmt::format(
            "{}: {} rows are equal to others once rounded to float32, from which they differ in the file (rows {} and "
            "{}, for example): distances between them count as 0",
            place, equal, example.first, example.second));
}

} // namespace assay
