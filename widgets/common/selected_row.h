#pragma once

class QPainter;
class QStyleOptionViewItem;

/// How a row of a table shows that its sample is in the one selection, which the table's own selection model knows
/// nothing of.
namespace assay {

/// Below the text: a yellow tint.
void tintSelectedRow(QPainter& painter, const QStyleOptionViewItem& option);

/// Over the text: a yellow bar in front of the row, lines around the focused one.
/// @param first whether the cell is the first of its row
/// @param focused whether the row's sample is the one that the inspector explains
void markSelectedRow(QPainter& painter, const QStyleOptionViewItem& option, bool first, bool focused);

} // namespace assay
