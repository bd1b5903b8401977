#include "engine/data/set_requirements.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"

namespace assay {

std::string describe(const EmbeddingSet& set) {
    const SourceInfo& source = set.source();
    if (source.file.empty())
        return set.name();
    const bool named = source.key.empty() || source.file.ends_with(":" + source.key);
    return named ? source.file : source.file + ": '" + source.key + "'";
}

void requireMoreThan(std::size_t k, const EmbeddingSet& set) {
    if (k < 1)
        throw Error(ErrorKind::InvalidArgument, "k: expected at least 1, found " + std::to_string(k));
    if (set.rows() <= k)
        throw Error(ErrorKind::InvalidArgument, describe(set) + ": expected more than k = " + std::to_string(k) +
                                                    " rows, found " + std::to_string(set.rows()));
}

void requireSameDimension(const EmbeddingSet& real, const EmbeddingSet& other) {
    if (real.dim() != other.dim())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected " + std::to_string(real.dim()) +
                                             " columns as in the real set " + describe(real) + ", found " +
                                             std::to_string(other.dim()));
}

} // namespace assay
