#include "widgets/ranking/gallery_accessible.h"

#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/gallery_view.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/samples/sample_tooltip.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <map>
#include <optional>

namespace assay {
namespace {

/// A tile, or from index size() on a header.
class AccessibleItem : public QAccessibleInterface {
public:
    AccessibleItem(GalleryView* gallery, std::size_t index) : gallery_(gallery), index_(index) {}

    bool isValid() const override { return gallery_ && index_ < gallery_->itemCount(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(gallery_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return header() ? QAccessible::Heading : QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text text) const override {
        if (text != QAccessible::Name || !isValid())
            return {};
        return header() ? gallery_->headerText(*header()) : gallery_->spokenText(index_);
    }
    QRect rect() const override {
        if (!isValid())
            return {};
        const QRect area = header() ? gallery_->headerRect(*header()) : gallery_->tileRect(index_);
        return {gallery_->viewport()->mapToGlobal(area.topLeft()), area.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focusable = state.selectable = true;
        state.focused = gallery_->hasFocus() && gallery_->currentItem() == index_;
        state.selected = !header() && gallery_->isSelected(index_);
        state.offscreen = !gallery_->viewport()->rect().intersects(header() ? gallery_->headerRect(*header())
                                                                            : gallery_->tileRect(index_));
        return state;
    }
    std::size_t index() const noexcept { return index_; }

private:
    std::optional<std::size_t> header() const {
        return index_ >= gallery_->tileCount() ? std::optional(index_ - gallery_->tileCount()) : std::nullopt;
    }

    QPointer<GalleryView> gallery_;
    std::size_t index_;
};

class AccessibleGallery : public QAccessibleWidget {
public:
    explicit AccessibleGallery(GalleryView* gallery)
        : QAccessibleWidget(gallery, QAccessible::List, gallery->accessibleName()) {}
    ~AccessibleGallery() override {
        for (const auto& [index, id] : items_)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(gallery()->itemCount()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto at = items_.find(index);
        if (at != items_.end())
            return QAccessible::accessibleInterface(at->second);
        auto* item = new AccessibleItem(gallery(), static_cast<std::size_t>(index));
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
        const auto index = gallery()->itemAt(gallery()->viewport()->mapFromGlobal(QPoint(x, y)));
        return index ? child(static_cast<int>(*index)) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const auto index = gallery()->currentItem();
        return index ? child(static_cast<int>(*index)) : nullptr;
    }

private:
    GalleryView* gallery() const { return static_cast<GalleryView*>(object()); }

    mutable std::map<int, QAccessible::Id> items_; ///< those that were asked for
};

} // namespace

QAccessibleInterface* makeGalleryAccessible(const QString&, QObject* object) {
    auto* gallery = qobject_cast<GalleryView*>(object);
    return gallery != nullptr ? new AccessibleGallery(gallery) : nullptr;
}

} // namespace assay
