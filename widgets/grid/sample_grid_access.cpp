#include "widgets/grid/sample_grid.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace assay {
namespace {

class AccessibleStop : public QAccessibleInterface {
public:
    AccessibleStop(SampleGrid* grid, std::size_t index) : grid_(grid), index_(index) {}

    bool isValid() const override { return grid_ && index_ < grid_->stopCount(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(grid_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return isHeading() ? QAccessible::Heading : QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text text) const override {
        return text == QAccessible::Name && isValid() ? grid_->spokenText(index_) : QString();
    }
    QRect rect() const override {
        if (!isValid())
            return {};
        const QRect area = grid_->stopRect(index_);
        return {grid_->viewport()->mapToGlobal(area.topLeft()), area.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focusable = state.selectable = true;
        state.focused = grid_->hasFocus() && grid_->currentStop() == index_;
        state.selected = !isHeading() && grid_->isSelected(index_);
        state.offscreen = !grid_->viewport()->rect().intersects(grid_->stopRect(index_));
        return state;
    }

private:
    bool isHeading() const { return grid_ && grid_->isHeading(index_); }

    QPointer<SampleGrid> grid_;
    std::size_t index_;
};

class AccessibleGrid : public QAccessibleWidget {
public:
    explicit AccessibleGrid(SampleGrid* grid) : QAccessibleWidget(grid, QAccessible::List, grid->accessibleName()) {}
    ~AccessibleGrid() override {
        for (const auto& [index, id] : stops_)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(grid()->stopCount()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto at = stops_.find(index);
        if (at != stops_.end())
            return QAccessible::accessibleInterface(at->second);
        auto* stop = new AccessibleStop(grid(), static_cast<std::size_t>(index));
        stops_[index] = QAccessible::registerAccessibleInterface(stop);
        return stop;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : stops_)
            if (QAccessible::accessibleInterface(id) == child)
                return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const auto index = grid()->stopAt(grid()->viewport()->mapFromGlobal(QPoint(x, y)));
        return index ? child(static_cast<int>(*index)) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const auto index = grid()->currentStop();
        return index ? child(static_cast<int>(*index)) : nullptr;
    }

private:
    SampleGrid* grid() const { return static_cast<SampleGrid*>(object()); }

    mutable std::map<int, QAccessible::Id> stops_; ///< those that were asked for
};

QAccessibleInterface* makeAccessibleGrid(const QString& /*className*/, QObject* object) {
    auto* grid = qobject_cast<SampleGrid*>(object);
    return grid != nullptr ? new AccessibleGrid(grid) : nullptr;
}

} // namespace

void makeGridsAccessible() {
    QAccessible::installFactory(makeAccessibleGrid); // once, however often it is called
}

void announceCurrentStop(SampleGrid& grid) {
    const auto stop = grid.currentStop();
    if (!QAccessible::isActive() || !grid.hasFocus() || !stop)
        return;
    QAccessibleEvent event(&grid, QAccessible::Focus);
    event.setChild(static_cast<int>(*stop));
    QAccessible::updateAccessibility(&event);
}

} // namespace assay
