#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <Qt>

#include <string>

namespace assay {

/// Sort key of a ranking: "id", "class", "kept", "tags", "note" or the id of a column of its side.
struct RankingOrder {
    std::string column = "p_any";
    Qt::SortOrder order = Qt::AscendingOrder;
    Side side = Side::Synthetic; ///< which set is listed

    friend bool operator==(const RankingOrder&, const RankingOrder&) = default;
};

} // namespace assay
