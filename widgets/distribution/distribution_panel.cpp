#include "widgets/distribution/distribution_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/distribution/histogram_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace assay {
namespace {

constexpr const char* kFirstColumn = "fidelity";
// Keys of the saved state.
constexpr QLatin1String kColumn("column");
constexpr QLatin1String kLogarithmic("logarithmic");
constexpr QLatin1String kCumulative("cumulative");
constexpr QLatin1String kOutlined("outlined");

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

DistributionPanel::DistributionPanel(PanelHost& host)
    : Panel(host), columns_(new QComboBox), histogram_(new HistogramView(kFirstColumn, host)) {
    columns_->setObjectName(QStringLiteral("distributionColumn"));
    columns_->setAccessibleName(tr("Column whose distribution is shown"));
    columns_->setToolTip(tr("The column whose distribution is shown"));
    columns_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    columns_->setMinimumContentsLength(12);
    auto* row = newLayout<QHBoxLayout>(nullptr, {8, 4, 8, 0});
    row->addWidget(columns_, 1);
    row->addWidget(makeLookButton());
    auto* page = new QWidget(this);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addLayout(row);
    layout->addWidget(histogram_, 1);
    setContent(page, tr("How a score is spread over the samples is shown here."));
    connect(columns_, &QComboBox::activated, this,
            [this](int index) { setColumn(columns_->itemData(index).toString()); });
    listColumns();
    setWindowTitle(histogram_->title());
}

QToolButton* DistributionPanel::makeLookButton() {
    auto* button =
        newButton<QToolButton>("distributionLook", QStringLiteral("..."), tr("How the distribution is drawn"), this);
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAccessibleName(tr("How the distribution is drawn"));
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* name, const QString& text, const QString& toolTip,
                         bool HistogramView::Look::*part) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QString::fromLatin1(name));
        action->setCheckable(true);
        action->setToolTip(toolTip);
        connect(action, &QAction::triggered, this, [this, part](bool checked) {
            HistogramView::Look look = histogram_->look();
            look.*part = checked;
            setLook(look);
        });
        connect(menu, &QMenu::aboutToShow, action,
                [this, action, part] { action->setChecked(histogram_->look().*part); });
        return action;
    };
    QAction* logarithmic = add("distributionLogarithmic", tr("Logarithmic axis"),
                               tr("Each bar is wider than the one before by the same factor; only for values above 0"),
                               &HistogramView::Look::logarithmic);
    connect(menu, &QMenu::aboutToShow, logarithmic,
            [this, logarithmic] { logarithmic->setEnabled(histogram_->canBeLogarithmic()); });
    add("distributionCumulative", tr("Cumulative"), tr("Each bar counts the samples up to its upper end"),
        &HistogramView::Look::cumulative);
    add("distributionOutlined", tr("Outline of good samples"),
        tr("A line shows the counts expected of the same number of good samples: held-out samples or, without a "
           "held-out set, real samples (none is its own neighbour)"),
        &HistogramView::Look::outlined);
    button->setMenu(menu);
    return button;
}

void DistributionPanel::setLook(const HistogramView::Look& look) {
    if (look == histogram_->look())
        return;
    histogram_->setLook(look);
    emit choicesChanged();
}

QJsonObject DistributionPanel::saveState() const {
    const HistogramView::Look& look = histogram_->look();
    return {{kColumn, column()},
            {kLogarithmic, look.logarithmic},
            {kCumulative, look.cumulative},
            {kOutlined, look.outlined}};
}

void DistributionPanel::restoreState(const QJsonObject& state) {
    setColumn(state.value(kColumn).toString());
    const HistogramView::Look look = histogram_->look();
    setLook({state.value(kLogarithmic).toBool(look.logarithmic), state.value(kCumulative).toBool(look.cumulative),
             state.value(kOutlined).toBool(look.outlined)});
}

QString DistributionPanel::column() const {
    return QString::fromStdString(histogram_->columnId());
}

void DistributionPanel::setColumn(const QString& id) {
    const std::string column = id.toStdString();
    if ((findColumn(column) == nullptr && !isExternal(column)) || column == histogram_->columnId())
        return;
    histogram_->setColumn(column);
    columns_->setCurrentIndex(columns_->findData(id));
    setWindowTitle(histogram_->title());
    emit choicesChanged();
}

std::optional<Figure> DistributionPanel::figure() {
    return histogram_->figure();
}

void DistributionPanel::listColumns() {
    const QSignalBlocker quiet(columns_);
    columns_->clear();
    for (const Side side : {Side::Synthetic, Side::Real}) {
        addHeading(*columns_, side == Side::Real ? tr("Of real samples") : tr("Of synthetic samples"));
        for (const Column* one : state().columns()) {
            if (one->side != side)
                continue;
            columns_->addItem(catalogText(one->title), catalogText(one->id));
            columns_->setItemData(columns_->count() - 1, metricToolTip(*one), Qt::ToolTipRole);
        }
    }
    columns_->setCurrentIndex(columns_->findData(column()));
}

void DistributionPanel::stateChanged(const Changes& changes) {
    if (changes.audit || changes.model)
        listColumns();
    histogram_->showState(state());
    // An external column that was removed; one of another audit.
    if (state().hasModel() && isExternal(histogram_->columnId()) &&
        !state().current().hasColumn(histogram_->columnId()))
        setColumn(QString::fromLatin1(kFirstColumn));
    setWindowTitle(histogram_->title());
}

} // namespace assay
