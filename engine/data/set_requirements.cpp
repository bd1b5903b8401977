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
    if (set.rows() > k)
        return;
    const std::string wayOut =
        set.rows() < 2 ? "At least 2 rows are needed." : "Choose k = " + std::to_string(set.rows() - 1) + " or less.";
    throw Error(ErrorKind::InvalidArgument, describe(set) + ": expected more than k = " + std::to_string(k) +
                                                " rows, found " + std::to_string(set.rows()) + ". " + wayOut);
}

void requireComparable(const EmbeddingSet& real, const EmbeddingSet& other) {
    const std::string& ofReal = real.source().builtIn;
    const std::string& ofOther = other.source().builtIn;
    if (ofReal.empty() && !ofOther.empty())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected embeddings, as in the real set " +
                                             describe(real) + ", found none (they would be those of the built-in " +
                                             ofOther + ")");
    if (!ofReal.empty() && ofOther.empty() && !other.source().file.empty())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected no embeddings, as in the real set " +
                                             describe(real) + ", which is scored by the built-in " + ofReal +
                                             ", found embeddings of " + std::to_string(other.dim()) + " columns");
    if (real.dim() != other.dim())
        throw Error(ErrorKind::BadInput, describe(other) + ": expected " + std::to_string(real.dim()) +
                                             " columns as in the real set " + describe(real) + ", found " +
                                             std::to_string(other.dim()));
}

} // namespace assay
