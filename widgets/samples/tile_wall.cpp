#include "widgets/samples/tile_wall.h"

#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace assay {
namespace {

class AccessibleItem : public QAccessibleInterface {
public:
    AccessibleItem(QAbstractScrollArea* area, std::size_t index)
        : area_(area), wall_(dynamic_cast<TileWall*>(area)), index_(index) {}

    bool isValid() const override { return area_ && index_ < wall_->itemCount(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(area_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return isHeading() ? QAccessible::Heading : QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text text) const override {
        return text == QAccessible::Name && isValid() ? wall_->spokenText(index_) : QString();
    }
    QRect rect() const override {
        if (!isValid())
            return {};
        const QRect area = wall_->itemRect(index_);
        return {area_->viewport()->mapToGlobal(area.topLeft()), area.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focusable = state.selectable = true;
        state.focused = area_->hasFocus() && wall_->currentItem() == index_;
        state.selected = !isHeading() && wall_->isSelected(index_);
        state.offscreen = !area_->viewport()->rect().intersects(wall_->itemRect(index_));
        return state;
    }

private:
    bool isHeading() const { return area_ && wall_->isHeading(index_); }

    QPointer<QAbstractScrollArea> area_;
    TileWall* wall_; ///< the area; valid as long as that is
    std::size_t index_;
};

class AccessibleWall : public QAccessibleWidget {
public:
    explicit AccessibleWall(QAbstractScrollArea* area)
        : QAccessibleWidget(area, QAccessible::List, area->accessibleName()) {}
    ~AccessibleWall() override {
        for (const auto& [index, id] : items_)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(wall()->itemCount()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto at = items_.find(index);
        if (at != items_.end())
            return QAccessible::accessibleInterface(at->second);
        auto* item = new AccessibleItem(area(), static_cast<std::size_t>(index));
        items_[index] = QAccessible::registerAccessibleInterface(item);
        return item;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : items_)
            if (QAccessible::accessibleInterface(id) == child)
                return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const auto index = wall()->itemAt(area()->viewport()->mapFromGlobal(QPoint(x, y)));
        return index ? child(static_cast<int>(*index)) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const auto index = wall()->currentItem();
        return index ? child(static_cast<int>(*index)) : nullptr;
    }

private:
    QAbstractScrollArea* area() const { return static_cast<QAbstractScrollArea*>(object()); }
    TileWall* wall() const { return dynamic_cast<TileWall*>(object()); }

    mutable std::map<int, QAccessible::Id> items_; ///< those that were asked for
};

} // namespace

QAccessibleInterface* makeTileWallAccessible(const QString& /*className*/, QObject* object) {
    auto* area = qobject_cast<QAbstractScrollArea*>(object);
    return area != nullptr && dynamic_cast<TileWall*>(object) != nullptr ? new AccessibleWall(area) : nullptr;
}

void announceCurrentItem(QAbstractScrollArea& area) {
    const auto item = dynamic_cast<const TileWall&>(area).currentItem();
    if (!QAccessible::isActive() || !area.hasFocus() || !item)
        return;
    QAccessibleEvent event(&area, QAccessible::Focus);
    event.setChild(static_cast<int>(*item));
    QAccessible::updateAccessibility(&event);
}

} // namespace assay
