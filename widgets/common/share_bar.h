#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <QPalette>

class QPainter;
class QStyleOptionViewItem;

namespace assay {

/// Which of a palette's colours a cell is painted with.
QPalette::ColorGroup colorGroupOf(const QStyleOptionViewItem& option);

/// Fills a cell from the left by a share, in the colour of the set whose samples it is of; to be painted below the
/// text.
/// @param share in [0, 1]
void paintShareBar(QPainter& painter, const QStyleOptionViewItem& option, double share, Side side);

} // namespace assay
