#include "widgets/useful/confusion_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/useful/confusion_model.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace assay {
namespace {

constexpr int kInset = 5;
constexpr int kLongestName = 110; // in logical pixels
constexpr float kRightFill = 0.16F;
constexpr int kWidestCell = 64; // in logical pixels
constexpr int kHighestCell = 34;
constexpr double kSmall = 0.9; // ten classes fit a panel of usual width

/// Text that can be read on a colour.
QColor textOn(const QColor& fill) {
    return qGray(fill.rgb()) > 130 ? QColor(0x14181C) : QColor(Qt::white);
}

QStringList namesOf(const QAbstractItemModel& model) {
    QStringList names;
    for (int section = 0; section < model.columnCount(); ++section)
        names << model.headerData(section, Qt::Horizontal).toString();
    return names;
}

int widestName(const QHeaderView& header) {
    int widest = 0;
    for (const QString& name : namesOf(*header.model()))
        widest = std::max(widest, header.fontMetrics().horizontalAdvance(name));
    return std::min(widest, kLongestName);
}

/// Names of classes; above columns that are too narrow for one of them all stand upright.
class NameHeader : public QHeaderView {
public:
    NameHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(16);
    }

    QSize sizeHint() const override {
        if (model() == nullptr || count() == 0)
            return QHeaderView::sizeHint();
        const int line = fontMetrics().height() + kInset;
        const int name = widestName(*this) + 2 * kInset;
        return orientation() == Qt::Horizontal && !isUpright() ? QSize(0, line) : QSize(name, name);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        painter->save();
        const bool upright = orientation() == Qt::Horizontal && isUpright();
        const int length = (upright ? rect.height() : rect.width()) - 2 * kInset + 2;
        const QString full = model()->headerData(section, orientation()).toString();
        const QString name = elidedName(full, namesOf(*model()), QFontMetricsF(font()), length);
        painter->setPen(palette().color(QPalette::WindowText));
        painter->setFont(font());
        if (upright) {
            painter->translate(rect.left(), rect.bottom());
            painter->rotate(-90);
            painter->drawText(QRect(kInset - 1, 0, rect.height(), rect.width()), Qt::AlignLeft | Qt::AlignVCenter,
                              name);
        } else {
            painter->drawText(rect.adjusted(kInset - 1, 0, 1 - kInset, 0),
                              orientation() == Qt::Horizontal ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter,
                              name);
        }
        painter->restore();
    }

private:
    bool isUpright() const { return widestName(*this) + 2 * kInset - 4 > defaultSectionSize(); }
};

/// Paints counts on the colour of their share.
class HeatDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QPalette& palette = option.palette;
        QColor text = palette.color(QPalette::Text);
        painter->fillRect(option.rect, palette.color(QPalette::Base));
        const QVariant heat = index.data(ConfusionModel::HeatRole);
        if (heat.isValid()) {
            const QColor fill = colors::score(heat.toDouble(), palette);
            painter->fillRect(option.rect, fill);
            text = textOn(fill);
        } else if (index.data(ConfusionModel::RightRole).toBool()) {
            QColor fill = palette.color(QPalette::Text);
            fill.setAlphaF(kRightFill);
            painter->fillRect(option.rect, fill);
        }
        painter->setPen(text);
        painter->setFont(option.font);
        painter->drawText(option.rect, Qt::AlignCenter, index.data().toString());
        if (option.state & QStyle::State_Selected) {
            painter->setPen(QPen(colors::selected(palette), 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(QPen(text, 1, Qt::DotLine));
            painter->drawRect(option.rect.adjusted(3, 3, -4, -4));
        }
    }
};

} // namespace

ConfusionTable::ConfusionTable(QWidget* parent) : QTableView(parent) {
    setHorizontalHeader(new NameHeader(Qt::Horizontal, this));
    setVerticalHeader(new NameHeader(Qt::Vertical, this));
    setItemDelegate(new HeatDelegate(this));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(ExtendedSelection);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setShowGrid(true);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setCornerButtonEnabled(false);
    QFont small = font();
    small.setPointSizeF(kSmall * small.pointSizeF());
    setFont(small);
    viewport()->setBackgroundRole(QPalette::Window); // around a few cells
    if (auto* corner = findChild<QAbstractButton*>())
        corner->installEventFilter(this);
}

void ConfusionTable::fitCells() {
    widest_ = fontMetrics().horizontalAdvance("000");
    if (model() != nullptr && model()->rowCount() <= 100) // of a thousand classes, numbers are as long as one another
        for (int row = 0; row < model()->rowCount(); ++row)
            for (int column = 0; column < model()->columnCount(); ++column)
                widest_ =
                    std::max(widest_, fontMetrics().horizontalAdvance(model()->index(row, column).data().toString()));
    spread();
}

void ConfusionTable::spread() {
    if (model() == nullptr || model()->rowCount() == 0)
        return;
    const int names = verticalHeader()->sizeHint().width();
    const int wide = (width() - names - 2) / model()->columnCount();
    const int high = (height() - horizontalHeader()->sizeHint().height() - 2) / model()->rowCount();
    const int least = fontMetrics().height() + 6;
    horizontalHeader()->setDefaultSectionSize(std::clamp(wide, widest_ + 6, std::max(widest_ + 6, kWidestCell)));
    verticalHeader()->setDefaultSectionSize(std::clamp(high, least, std::max(least, kHighestCell)));
    updateGeometries();
}

void ConfusionTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    spread();
}

/// The corner between the names stays empty.
bool ConfusionTable::eventFilter(QObject* watched, QEvent* event) {
    return event->type() == QEvent::Paint || QTableView::eventFilter(watched, event);
}

void ConfusionTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitCells();
}

} // namespace assay
