#include "widgets/inspector/feature_contrast_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/inspector/feature_contrast_model.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kFolded = 8;
constexpr int kUnfolded = 20; // rows in sight; more are scrolled
constexpr double kLargestDifference = 4.0;

/// Behind the number a bar from the middle of the cell: to the right where the inspected sample has more.
class DifferenceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const double difference = index.data(FeatureContrastModel::DifferenceRole).toDouble();
        const double middle = option.rect.center().x();
        const double length =
            std::clamp(difference / kLargestDifference, -1.0, 1.0) * (option.rect.width() / 2.0 - 1.0);
        QColor color = colors::synthetic(option.palette);
        color.setAlphaF(0.35F);
        painter->fillRect(QRectF(std::min(middle, middle + length), option.rect.top() + 2, std::abs(length),
                                 option.rect.height() - 4),
                          color);
        QStyledItemDelegate::paint(painter, option, index);
    }
};

} // namespace

FeatureContrastTable::FeatureContrastTable(QWidget* parent)
    : QWidget(parent), model_(new FeatureContrastModel(this)), table_(new QTableView(this)),
      all_(new QToolButton(this)) {
    table_->setObjectName(QStringLiteral("inspectorFeatures"));
    table_->setAccessibleName(tr("Features of the sample and its nearest one"));
    table_->setModel(model_);
    table_->setItemDelegateForColumn(FeatureContrastModel::Difference, new DifferenceDelegate(table_));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->setTextElideMode(Qt::ElideMiddle); // "income=(missing)" begins as "income"
    table_->verticalHeader()->setMinimumSectionSize(1);
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 2);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setMinimumSectionSize(20);
    header->setHighlightSections(false);
    all_->setObjectName(QStringLiteral("inspectorAllFeatures"));
    all_->setAutoRaise(true);
    all_->setCheckable(true);
    all_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(all_, &QToolButton::toggled, this, &FeatureContrastTable::fold);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_);
    layout->addWidget(all_, 0, Qt::AlignLeft);
    fold();
}

void FeatureContrastTable::showContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts,
                                         const QString& own, const QString& nearest) {
    model_->setContrasts(state, std::move(contrasts), own, nearest);
    fold();
}

void FeatureContrastTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Names take more room than numbers, unless these would be cut off.
    const int whole = table_->fontMetrics().horizontalAdvance(QStringLiteral("-0.0888")) + 10; // margins
    const int number = std::max(width() * 21 / 100, std::min(whole, width() * 27 / 100));
    table_->setColumnWidth(FeatureContrastModel::Feature, width() - 3 * number);
    for (const int column :
         {FeatureContrastModel::Own, FeatureContrastModel::Nearest, FeatureContrastModel::Difference})
        table_->setColumnWidth(column, number);
}

void FeatureContrastTable::clear() {
    showContrasts({}, {}, {}, {});
}

void FeatureContrastTable::fold() {
    const bool open = all_->isChecked();
    const int count = model_->featureCount();
    model_->setMost(open ? count : kFolded);
    all_->setVisible(count > kFolded);
    all_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    all_->setText(open ? tr("Fewer features")
                       : tr("%1 more features").arg(formatCount(static_cast<std::uint64_t>(count - kFolded))));
    const int rows = std::min(model_->rowCount(), kUnfolded);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           rows * table_->verticalHeader()->defaultSectionSize());
}

} // namespace assay
