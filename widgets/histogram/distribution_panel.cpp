#include "widgets/histogram/distribution_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/histogram/histogram_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace assay {
namespace {

constexpr const char* kFirstColumn = "fidelity";

/// A line of a list that cannot be chosen.
void addHeading(QComboBox& box, const QString& text) {
    box.addItem(text);
    auto* items = qobject_cast<QStandardItemModel*>(box.model());
    QStandardItem* heading = items->item(box.count() - 1);
    heading->setFlags(Qt::NoItemFlags);
    QFont bold = box.font();
    bold.setBold(true);
    heading->setFont(bold);
}

} // namespace

DistributionPanel::DistributionPanel(SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), columns_(new QComboBox),
      histogram_(new HistogramView(kFirstColumn, selection, nullptr)) {
    columns_->setObjectName(QStringLiteral("distributionColumn"));
    columns_->setAccessibleName(tr("Column whose distribution is shown"));
    columns_->setToolTip(tr("The column whose distribution is shown"));
    columns_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    columns_->setMinimumContentsLength(12);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 0);
    row->addWidget(columns_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(histogram_, 1);
    connect(columns_, &QComboBox::activated, this,
            [this](int index) { setColumn(columns_->itemData(index).toString()); });
    listColumns();
    setWindowTitle(HistogramView::title(kFirstColumn));
}

QString DistributionPanel::column() const {
    return QString::fromStdString(histogram_->columnId());
}

void DistributionPanel::setColumn(const QString& id) {
    const std::string column = id.toStdString();
    if (findColumn(column) == nullptr || column == histogram_->columnId())
        return;
    histogram_->setColumn(column);
    columns_->setCurrentIndex(columns_->findData(id));
    setWindowTitle(HistogramView::title(column));
    emit columnChanged();
}

std::optional<Figure> DistributionPanel::figure() {
    return histogram_->figure();
}

void DistributionPanel::listColumns() {
    const QSignalBlocker quiet(columns_);
    columns_->clear();
    for (const Side side : {Side::Synthetic, Side::Real}) {
        addHeading(*columns_, side == Side::Real ? tr("Of real samples") : tr("Of synthetic samples"));
        for (const Column& one : columnCatalog()) {
            const bool isThere = !state().hasModel() || state().current().hasColumn(one.id);
            if (one.side != side || !isThere)
                continue;
            columns_->addItem(catalogText(one.title),
                              QString::fromUtf8(one.id.data(), static_cast<qsizetype>(one.id.size())));
            columns_->setItemData(columns_->count() - 1, metricToolTip(one), Qt::ToolTipRole);
        }
    }
    columns_->setCurrentIndex(columns_->findData(column()));
}

void DistributionPanel::stateChanged(const ViewState& previous) {
    if (previous.audit != state().audit || previous.model != state().model)
        listColumns();
    histogram_->showState(state());
}

} // namespace assay
