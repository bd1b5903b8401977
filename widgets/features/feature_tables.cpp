#include "widgets/features/feature_tables.h"

#include "engine/data/embedding_set.h"
#include "engine/report/scores/table_features.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kFarBeyondChance = 3.0; // as for single features

/// Translation context of this file's texts.
struct FeatureTables {
    Q_DECLARE_TR_FUNCTIONS(assay::FeatureTables)
};

/// "0.104"; an infinite one, of a feature that is constant in the real set alone, by its sign.
TableCell numberCell(double value) {
    return cellOf(std::isinf(value) ? QStringLiteral("\u221e") : formatNumber(value), value);
}

TableCell shareCell(double value) {
    return cellOf(formatPercent(value), value);
}

QString twoDecimals(double value) {
    return QLocale().toString(std::abs(value) < 0.005 ? 0.0 : value, 'f', 2); // never "-0.00"
}

QString signedCorrelation(double value) {
    return (value >= 0.0 ? QStringLiteral("+") : QStringLiteral("-")) + twoDecimals(std::abs(value));
}

TableCell pValueCell(double value) {
    return cellOf(value < 0.001 ? QStringLiteral("< %1").arg(QLocale().toString(0.001, 'f', 3))
                                : QLocale().toString(value, 'f', 3),
                  value);
}

/// Hint of a p-value of a list of comparisons.
QString chanceHint() {
    return FeatureTables::tr("Probability of such a difference by chance alone, adjusted for all rows that were "
                             "compared: of the rows with p up to 0.05, at most 5 % should be false alarms");
}

/// "clerk: 100 real, 70 synthetic", the rest counted.
QString categoryCounts(const CategoryDifference& column) {
    constexpr std::size_t kMax = 12;
    QString text;
    for (std::size_t c = 0; c < std::min(column.categories.size(), kMax); ++c) {
        const CategoryCounts& one = column.categories[c];
        const QString name = one.text.empty() ? FeatureTables::tr("(empty)") : QString::fromStdString(one.text);
        text += FeatureTables::tr("<br>%1: %2 real, %3 synthetic")
                    .arg(name.toHtmlEscaped(), formatCount(one.real), formatCount(one.synthetic));
    }
    if (column.categories.size() > kMax)
        text += FeatureTables::tr("<br>and %1 more").arg(formatCount(column.categories.size() - kMax));
    return text;
}

QString nameOf(const EmbeddingSet& real, const MissingRate& rate) {
    return QString::fromStdString(rate.column.empty() ? columnNameOf(real, rate.feature) : rate.column);
}

/// Hints as paragraphs, which break into lines.
TableContent asParagraphs(TableContent content) {
    for (TableColumn& column : content.columns)
        column.hint = QStringLiteral("<p>%1.</p>").arg(column.hint);
    return content;
}

} // namespace

TableContent featureTable(const ViewState& state) {
    if (!state.hasModel())
        return {};
    const auto set = state.audit->real->set;
    std::vector<FeatureDifference> rows = state.current().featureDifferences.features;
    TableContent content{.rows = static_cast<int>(rows.size())};
    const auto of = cellsOf(std::move(rows));
    const auto inUnit = [&](double FeatureDifference::*figure) { // of the file
        return of([=](const FeatureDifference& one) { return numberCell(inFile(*set->preparation(), one).*figure); });
    };
    content.columns = {
        {.title = FeatureTables::tr("Feature"),
         .hint = FeatureTables::tr("A column of the table, or a dimension of the embedding"),
         .cell = of([=](const FeatureDifference& one) { return cellOf(featureName(*set, one.feature), one.feature); }),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Distance (SD)"),
         .hint = FeatureTables::tr("Wasserstein-1 distance of the two distributions: how far the real values have to "
                                   "be moved on average to become the synthetic ones, in standard deviations of the "
                                   "real feature"),
         .cell = of([](const FeatureDifference& one) { return numberCell(one.relativeDistance()); })},
        {.title = FeatureTables::tr("By chance (SD)"),
         .hint = FeatureTables::tr("Average distance between two sets of these sizes that are both drawn from the real "
                                   "distribution. A distance of this size is chance"),
         .cell = of([](const FeatureDifference& one) { return numberCell(one.relativeByChance()); })},
        {.title = FeatureTables::tr("Real mean"),
         .hint = FeatureTables::tr("Mean of the real samples, in the feature's own unit"),
         .cell = inUnit(&FeatureDifference::realMean)},
        {.title = FeatureTables::tr("Real SD"),
         .hint = FeatureTables::tr("Standard deviation of the real samples, in the feature's own unit"),
         .cell = inUnit(&FeatureDifference::realDeviation)},
        {.title = FeatureTables::tr("Synthetic mean"),
         .hint = FeatureTables::tr("Mean of the synthetic samples, in the feature's own unit"),
         .cell = inUnit(&FeatureDifference::syntheticMean)},
        {.title = FeatureTables::tr("Synthetic SD"),
         .hint = FeatureTables::tr("Standard deviation of the synthetic samples, in the feature's own unit"),
         .cell = inUnit(&FeatureDifference::syntheticDeviation)}};
    content.hint = of([=](const FeatureDifference& one) {
        const FeatureDifference shown = inFile(*set->preparation(), one);
        return FeatureTables::tr("<b>%1</b><p>The two distributions are %2 apart, in the feature's own unit. By chance "
                                 "alone they would be %3 apart.</p>")
            .arg(featureName(*set, one.feature).toHtmlEscaped(), formatNumber(shown.distance),
                 formatNumber(shown.byChance));
    });
    return asParagraphs(std::move(content));
}

TableContent pairTable(const ViewState& state) {
    if (!state.hasModel())
        return {};
    const auto set = state.audit->real->set;
    using Pair = CorrelationDifference;
    std::vector<Pair> rows = state.current().tableDifferences.correlations.pairs;
    TableContent content{.rows = static_cast<int>(rows.size())};
    const auto of = cellsOf(std::move(rows));
    content.columns = {
        {.title = FeatureTables::tr("Feature"),
         .hint = FeatureTables::tr("The first feature of the pair"),
         .cell = of([=](const Pair& pair) { return textCell(featureName(*set, pair.first)); }),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Second feature"),
         .hint = FeatureTables::tr("The second feature of the pair"),
         .cell = of([=](const Pair& pair) { return textCell(featureName(*set, pair.second)); }),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Difference"),
         .hint = FeatureTables::tr("Synthetic correlation less the real one"),
         .cell = of([](const Pair& pair) {
             return cellOf(signedCorrelation(pair.difference()), std::abs(pair.difference()));
         })},
        {.title = FeatureTables::tr("Real"),
         .hint = FeatureTables::tr("Pearson's correlation of the two features in the real set"),
         .cell = of([](const Pair& pair) { return cellOf(twoDecimals(pair.real), pair.real); })},
        {.title = FeatureTables::tr("Synthetic"),
         .hint = FeatureTables::tr("Pearson's correlation of the two features in the synthetic set"),
         .cell = of([](const Pair& pair) { return cellOf(twoDecimals(pair.synthetic), pair.synthetic); })},
        {.title = FeatureTables::tr("By chance"),
         .hint = FeatureTables::tr("Average size of the difference between two sets of these sizes that are both drawn "
                                   "from the real distribution"),
         .cell = of([](const Pair& pair) { return cellOf(QLocale().toString(pair.byChance, 'f', 3), pair.byChance); })},
        {.title = FeatureTables::tr("p"), .hint = chanceHint(), .cell = of([](const Pair& pair) {
                                                                    return pValueCell(pair.pValue);
                                                                })}};
    content.hint = of([=](const Pair& pair) {
        return FeatureTables::tr("<b>%1 and %2</b><p>Correlation %3 in the real set, %4 in the synthetic set. The "
                                 "difference is %5, with 95 % confidence from %6 to %7.</p>")
            .arg(featureName(*set, pair.first).toHtmlEscaped(), featureName(*set, pair.second).toHtmlEscaped(),
                 twoDecimals(pair.real), twoDecimals(pair.synthetic), signedCorrelation(pair.difference()),
                 signedCorrelation(pair.low), signedCorrelation(pair.high));
    });
    content.isMuted = of([](const Pair& pair) { return !pair.differs(); });
    return asParagraphs(std::move(content));
}

TableContent categoryTable(const ViewState& state) {
    if (!state.hasModel())
        return {};
    std::vector<CategoryDifference> rows = state.current().tableDifferences.categories;
    TableContent content{.rows = static_cast<int>(rows.size())};
    const auto of = cellsOf(std::move(rows));
    const auto texts = [&](std::string (*text)(const CategoryDifference&)) {
        return of([=](const CategoryDifference& column) { return textCell(QString::fromStdString(text(column))); });
    };
    content.columns = {
        {.title = FeatureTables::tr("Column"),
         .hint = FeatureTables::tr("A column of text of the table"),
         .cell = of(
             [](const CategoryDifference& column) { return textCell(QString::fromStdString(columnNameOf(column))); }),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Distance"),
         .hint = FeatureTables::tr("Total variation distance: the share of the samples that would have to change their "
                                   "category"),
         .cell = of([](const CategoryDifference& column) { return shareCell(column.distance); })},
        {.title = FeatureTables::tr("By chance"),
         .hint = FeatureTables::tr("Average distance between two sets of these sizes that are both drawn from the real "
                                   "distribution"),
         .cell = of([](const CategoryDifference& column) { return shareCell(column.byChance); })},
        {.title = FeatureTables::tr("Missing"),
         .hint = FeatureTables::tr("Categories that the synthetic set lacks by more than chance, with their real "
                                   "samples"),
         .cell = texts(missingCategories),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Invented"),
         .hint = FeatureTables::tr("Categories that only the synthetic set has, by more than chance, with their "
                                   "synthetic samples"),
         .cell = texts(inventedCategories),
         .side = Qt::AlignLeft}};
    content.hint = of([](const CategoryDifference& column) {
        return QStringLiteral("<b>%1</b>").arg(QString::fromStdString(columnNameOf(column)).toHtmlEscaped()) +
               categoryCounts(column);
    });
    content.isMuted = of([](const CategoryDifference& column) {
        return missingCategories(column).empty() && inventedCategories(column).empty() &&
               column.distance <= kFarBeyondChance * column.byChance;
    });
    return asParagraphs(std::move(content));
}

TableContent missingTable(const ViewState& state) {
    if (!state.hasModel())
        return {};
    const auto set = state.audit->real->set;
    std::vector<MissingRate> rows = state.current().tableDifferences.missing;
    TableContent content{.rows = static_cast<int>(rows.size())};
    const auto of = cellsOf(std::move(rows));
    content.columns = {
        {.title = FeatureTables::tr("Column"),
         .hint = FeatureTables::tr("A column in which values are missing"),
         .cell = of([=](const MissingRate& rate) { return textCell(nameOf(*set, rate)); }),
         .side = Qt::AlignLeft},
        {.title = FeatureTables::tr("Real"),
         .hint = FeatureTables::tr("Share of the real samples whose value is missing"),
         .cell = of([](const MissingRate& rate) { return shareCell(rate.realRate()); })},
        {.title = FeatureTables::tr("Synthetic"),
         .hint = FeatureTables::tr("Share of the synthetic samples whose value is missing"),
         .cell = of([](const MissingRate& rate) { return shareCell(rate.syntheticRate()); })},
        {.title = FeatureTables::tr("By chance"),
         .hint = FeatureTables::tr("Average difference of the shares between two sets of these sizes that are both "
                                   "drawn from the real distribution"),
         .cell = of([](const MissingRate& rate) { return shareCell(rate.byChance()); })},
        {.title = FeatureTables::tr("p"), .hint = chanceHint(), .cell = of([](const MissingRate& rate) {
                                                                    return pValueCell(rate.pValue);
                                                                })}};
    content.hint = of([=](const MissingRate& rate) {
        return FeatureTables::tr("<b>%1</b><p>Missing in %2 of %3 real samples and in %4 of %5 synthetic samples.</p>")
            .arg(nameOf(*set, rate).toHtmlEscaped(), formatCount(rate.real), formatCount(rate.realRows),
                 formatCount(rate.synthetic), formatCount(rate.syntheticRows));
    });
    content.isMuted = of([](const MissingRate& rate) { return !rate.differs(); });
    return asParagraphs(std::move(content));
}

} // namespace assay
