#pragma once

namespace assay {

/// How pairs beyond the nearest neighbours are found (engine/neighbors/pairs/).
enum class PairSearch { ByProducts, ByTree };

} // namespace assay
