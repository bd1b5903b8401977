#include "tests/engine/support/sample_sets.h"

#include <utility>

namespace assay::test {

std::shared_ptr<const EmbeddingSet> asSet(const Matrix& matrix, const std::string& name) {
    EmbeddingParts parts;
    parts.values = matrix.values;
    parts.rows = matrix.rows;
    parts.dim = matrix.dim;
    parts.name = name;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace assay::test
