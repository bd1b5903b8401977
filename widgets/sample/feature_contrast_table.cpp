#include "widgets/sample/feature_contrast_table.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/names.h"

#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kFolded = 8;
constexpr int kUnfolded = 20; // rows in sight; more are scrolled
constexpr double kLargestDifference = 4.0;
constexpr int kNumberLetters = 7;

/// "+0.42"; hundredths of a standard deviation are more than anyone needs.
QString deviationsText(double difference) {
    const QString size = std::abs(difference) < 100.0 ? QLocale().toString(std::abs(difference), 'f', 2)
                                                      : formatNumber(std::abs(difference));
    return std::abs(difference) < 0.005 ? size : (difference > 0.0 ? u'+' : u'-') + size;
}

QString valueText(double value, const std::string& text) {
    return text.empty() ? formatFileValue(value) : QString::fromStdString(text);
}

/// To the right where the inspected sample has more.
TableCell differenceCell(const FeatureContrast& contrast) {
    if (!contrast.hasDirection)
        return textCell(contrast.difference == 0.0 ? FeatureContrastTable::tr("same")
                                                   : FeatureContrastTable::tr("differs"));
    return {.text = deviationsText(contrast.difference),
            .graphic = CellShift{contrast.difference / kLargestDifference}};
}

QString hintOf(const FeatureContrast& contrast, const QString& name) {
    const QString first = valueText(contrast.first, contrast.firstText).toHtmlEscaped();
    const QString second = valueText(contrast.second, contrast.secondText).toHtmlEscaped();
    if (!contrast.hasDirection)
        return FeatureContrastTable::tr("<p><b>%1</b>: %2 here, %3 in the nearest sample.</p>")
            .arg(name.toHtmlEscaped(), first, second);
    return FeatureContrastTable::tr("<p><b>%1</b>: %2 here, %3 in the nearest sample. The difference is %4 standard "
                                    "deviations of the real set.</p>")
        .arg(name.toHtmlEscaped(), first, second, deviationsText(contrast.difference));
}

} // namespace

FeatureContrastTable::FeatureContrastTable(QWidget* parent)
    : QWidget(parent), table_(new TableView(this)), all_(new QToolButton(this)) {
    table_->setObjectName(QStringLiteral("inspectorFeatures"));
    table_->setAccessibleName(tr("Features of the sample and its nearest one"));
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setAlternatingRowColors(false);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    all_->setObjectName(QStringLiteral("inspectorAllFeatures"));
    all_->setAutoRaise(true);
    all_->setCheckable(true);
    all_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(all_, &QToolButton::toggled, this, &FeatureContrastTable::fold);
    auto* layout = newLayout<QVBoxLayout>(this, {}, 0);
    layout->addWidget(table_);
    layout->addWidget(all_, 0, Qt::AlignLeft);
    fold();
}

void FeatureContrastTable::showContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts,
                                         const QString& own, const QString& nearest) {
    real_ = state.audit ? state.audit->real : nullptr;
    contrasts_ = std::move(contrasts);
    own_ = own;
    nearest_ = nearest;
    fold();
}

void FeatureContrastTable::clear() {
    showContrasts({}, {}, {}, {});
}

TableContent FeatureContrastTable::contentOf(std::size_t rows) const {
    TableContent content{.rows = static_cast<int>(rows), .isSortable = false, .isDense = true};
    const auto of = cellsOf(std::vector(contrasts_.begin(), contrasts_.begin() + static_cast<std::ptrdiff_t>(rows)));
    const auto nameOf = [real = real_](const FeatureContrast& one) {
        return one.column.empty() ? featureName(*real->set, one.feature) : QString::fromStdString(one.column);
    };
    content.columns = {
        {.title = tr("Feature"),
         .hint = tr("Features in which the two samples differ most come first"),
         .cell = of([nameOf](const FeatureContrast& one) { return textCell(nameOf(one)); }),
         .side = Qt::AlignLeft,
         .least = 6,
         .takesRoom = true},
        {.title = own_,
         .hint = tr("Value of the inspected sample, in the unit of the file"),
         .cell = of([](const FeatureContrast& one) { return textCell(valueText(one.first, one.firstText)); }),
         .least = kNumberLetters,
         .most = kNumberLetters},
        {.title = nearest_,
         .hint = tr("Value of its nearest sample, in the unit of the file"),
         .cell = of([](const FeatureContrast& one) { return textCell(valueText(one.second, one.secondText)); }),
         .least = kNumberLetters,
         .most = kNumberLetters},
        {.title = tr("SD"),
         .hint = tr("Difference in standard deviations of the real set"),
         .cell = of(differenceCell),
         .least = kNumberLetters,
         .most = kNumberLetters}};
    content.hint = of([nameOf](const FeatureContrast& one) { return hintOf(one, nameOf(one)); });
    return content;
}

void FeatureContrastTable::fold() {
    const bool open = all_->isChecked();
    const std::size_t count = contrasts_.size();
    table_->setContent(contentOf(open ? count : std::min(kFolded, count)));
    all_->setVisible(count > kFolded);
    all_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    all_->setText(open ? tr("Fewer features") : tr("%1 more features").arg(formatCount(count - kFolded)));
    table_->setFixedHeight(table_->heightOf(std::min(table_->rows().rowCount(), kUnfolded)));
}

} // namespace assay
