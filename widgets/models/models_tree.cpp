#include "widgets/models/models_tree.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/models/models_model.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace assay {
namespace {

constexpr int kCurrentBar = 4;
constexpr int kCellEnd = 3;       // between a number and the next cell
constexpr int kTitleGap = 10;     // between a name and what is suspicious
constexpr int kLeastConcern = 48; // pixels; what is suspicious says nothing in fewer

/// Numbers on the lower line of a compact row; in the first column the share of bad samples.
class ModelsDelegate : public QStyledItemDelegate {
public:
    explicit ModelsDelegate(ModelsTree* tree) : QStyledItemDelegate(tree), tree_(tree) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), tree_->rowHeightWanted()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        item.state &= ~QStyle::State_HasFocus;
        initStyleOption(&item, index);
        QStyle* style = tree_->style();
        if (!tree_->isCompact()) {
            item.font.setBold(index.column() == ModelsModel::Name && (option.state & QStyle::State_Selected));
            if (index.column() == ModelsModel::Name)
                item.rect.adjust(kCurrentBar + 2, 0, 0, 0);
            style->drawControl(QStyle::CE_ItemViewItem, &item, painter, tree_);
            return;
        }
        const QString text = index.column() == ModelsModel::Name ? QString() : item.text; // that of names: drawRow()
        item.text.clear();
        style->drawControl(QStyle::CE_ItemViewItem, &item, painter, tree_);
        if (text.isEmpty())
            return;
        const bool selected = option.state & QStyle::State_Selected;
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        constexpr int kInset = 2;
        const QRect line(option.rect.left() + kInset, option.rect.center().y(), option.rect.width() - kInset - kCellEnd,
                         option.rect.height() / 2);
        painter->drawText(line, static_cast<int>(item.displayAlignment),
                          option.fontMetrics.elidedText(text, Qt::ElideRight, line.width()));
    }

private:
    ModelsTree* tree_;
};

} // namespace

ModelsTree::ModelsTree(QWidget* parent) : QTreeView(parent) {
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(SingleSelection);
    setItemDelegate(new ModelsDelegate(this));
    setSortingEnabled(true);
    header()->setMinimumSectionSize(28);
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setHighlightSections(false);
}

void ModelsTree::setCompact(bool compact) {
    if (compact == compact_)
        return;
    compact_ = compact;
    scheduleDelayedItemsLayout();
    viewport()->update();
}

int ModelsTree::rowHeightWanted() const {
    return compact_ ? 2 * fontMetrics().height() + 8 : fontMetrics().height() + 8;
}

QString ModelsTree::badShareShown(const QModelIndex& index, int width) const {
    const int room = width - kCurrentBar - 4 - kCellEnd;
    // In every row, or one would say "99.9 %" below another's "86 % bad". The number beside it is at the right of its
    // column, and what is free there can be used.
    const auto fits = [&](int row) {
        const QString whole = model()->index(row, ModelsModel::Name).data(ModelsModel::BadShareRole).toString();
        const QString number = model()->index(row, ModelsModel::ClippedDensity).data().toString();
        const int beside =
            columnWidth(ModelsModel::ClippedDensity) - fontMetrics().horizontalAdvance(number) - kCellEnd;
        return fontMetrics().horizontalAdvance(whole) <= room + std::max(0, beside - kTitleGap);
    };
    bool all = true;
    for (int row = 0; row < model()->rowCount(); ++row)
        all = all && fits(row);
    return index.siblingAtColumn(ModelsModel::Name)
        .data(all ? ModelsModel::BadShareRole : ModelsModel::ShortBadShareRole)
        .toString();
}

QStringList ModelsTree::namesShown() const {
    QStringList names;
    for (int row = 0; row < model()->rowCount(); ++row)
        names.append(model()->index(row, ModelsModel::Name).data(ModelsModel::NameRole).toString());
    return names;
}

ModelsTree::CompactTitle ModelsTree::compactTitle(const QModelIndex& index, const QFontMetrics& metrics,
                                                  int width) const {
    const QModelIndex first = index.siblingAtColumn(ModelsModel::Name);
    const QString name = first.data(ModelsModel::NameRole).toString();
    // The mark of a suspicious model stays in sight however long the name is.
    const QString mark = first.data().toString().mid(name.size());
    CompactTitle title;
    title.name = elidedName(name, namesShown(), QFontMetricsF(metrics), width - metrics.horizontalAdvance(mark)) + mark;
    const int left = width - metrics.horizontalAdvance(title.name) - kTitleGap;
    if (left >= kLeastConcern)
        title.concern = metrics.elidedText(first.data(ModelsModel::ConcernRole).toString(), Qt::ElideRight, left);
    return title;
}

void ModelsTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QTreeView::drawRow(painter, option, index);
    const bool selected = selectionModel()->isSelected(index);
    if (selected)
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), kCurrentBar, option.rect.height()),
                          colors::synthetic(palette()));
    if (!compact_)
        return;
    painter->save();
    QFont font = this->font();
    font.setBold(selected);
    painter->setFont(font);
    painter->setPen(palette().color(selected ? QPalette::HighlightedText : QPalette::Text));
    const QRect line(option.rect.left() + kCurrentBar + 4, option.rect.top() + 3, option.rect.width() - kCurrentBar - 8,
                     fontMetrics().height());
    const CompactTitle title = compactTitle(index, QFontMetrics(font), line.width());
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title.name);
    painter->setPen(selected ? palette().color(QPalette::HighlightedText) : colors::unauthentic(palette()));
    painter->drawText(line.adjusted(QFontMetrics(font).horizontalAdvance(title.name) + kTitleGap, 0, 0, 0),
                      Qt::AlignLeft | Qt::AlignVCenter, title.concern);
    painter->setFont(this->font());
    painter->setPen(palette().color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(QRect(line.left(), option.rect.center().y(), line.width(), option.rect.height() / 2),
                      Qt::AlignLeft | Qt::AlignVCenter, badShareShown(index, columnWidth(ModelsModel::Name)));
    painter->restore();
}

} // namespace assay
