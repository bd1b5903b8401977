#pragma once

#include "engine/data/embedding_set.h"
#include "tests/support/matrices.h"

#include <memory>
#include <string>

namespace assay::test {

std::shared_ptr<const EmbeddingSet> asSet(const Matrix& matrix, const std::string& name);

} // namespace assay::test
