#pragma once

#include <QPoint>
#include <QRect>
#include <QString>

#include <cstddef>
#include <optional>

class QAbstractScrollArea;
class QAccessibleInterface;
class QObject;

namespace assay {

/// What assistive technology asks of a scroll area that paints its tiles itself. Items are counted from 0; areas are in
/// the viewport's coordinates, also when out of sight.
class TileWall {
public:
    virtual ~TileWall() = default;

    virtual std::size_t itemCount() const = 0;
    virtual std::optional<std::size_t> itemAt(QPoint viewportPoint) const = 0;
    /// The item that the keyboard is at.
    virtual std::optional<std::size_t> currentItem() const = 0;
    virtual bool isSelected(std::size_t item) const = 0;
    virtual QRect itemRect(std::size_t item) const = 0;
    /// An item in words: "2113, class 8, 12.0x closer, copy, rejected by the rules".
    virtual QString spokenText(std::size_t item) const = 0;
    virtual bool isHeading(std::size_t /*item*/) const { return false; }
};

/// Makes the accessible interface of a scroll area that is a TileWall, for QAccessible::installFactory(): a list of its
/// items. Null for other objects.
QAccessibleInterface* makeTileWallAccessible(const QString& className, QObject* object);

/// Tells assistive technology that the keyboard has come to another item.
/// @param area a TileWall
void announceCurrentItem(QAbstractScrollArea& area);

} // namespace assay
