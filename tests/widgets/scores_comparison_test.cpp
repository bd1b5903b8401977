// Two models beside each other in the table of all scores.
#include "engine/audit/result/intervals.h"
#include "engine/math/statistics/nan.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/scores_window.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;
using test::auditWithMetrics;
using test::fullAudit;
using Window = test::ScoresWindow;

namespace {

/// Three models with resamples: of the metrics that are averages, and evenly spread about what each model has.
std::shared_ptr<const AuditResult> comparableAudit() {
    const auto audit = auditWithMetrics(
        {{{"pce", 3.0}, {"precision", 0.8}, {"recall", 0.50}, {"over_occurring_fraction", 0.1}, {"fld", 1.0}},
         {{"pce", -9.0}, {"precision", 0.6}, {"recall", 0.51}, {"over_occurring_fraction", 0.3}, {"fld", 2.0}},
         {{"pce", 4.0}, {"precision", kNaN}, {"recall", 0.9}, {"fld", 3.0}}});
    return test::withEveryModel(audit, [](ModelAudit& model, std::size_t m) {
        for (const MetricValue& metric : model.metrics)
            if (metric.id != "fld") {
                MetricResamples resamples{metric.id, {}};
                for (int b = -50; b <= 50; ++b) // the second model's scatter the other way
                    resamples.values.push_back(metric.value + (m == 1 ? -0.0004 : 0.0004) * b);
                model.resamples.push_back(resamples);
            }
    });
}

} // namespace

class ScoresComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void comparesTwoModels();
    void saysWhatADifferenceTells();
    void differencesFromASuspiciousModelWarn();
    void saysWhyThereIsNoDifference();
    void comparedModelsChangePlaces();
    void comparisonStandsBesideTheCurrentModel();
    void warnsOfUnequalSizes();
    void comparesWholeAudits();
};

void ScoresComparisonTest::comparesTwoModels() {
    Window window({comparableAudit(), 0, nullptr}, {840, 420});
    QCOMPARE(window.compare->count(), 3);
    QCOMPARE(window.compare->currentText(), QString("no other model"));
    QCOMPARE(window.model()->columnCount(), 3);
    window.compareWith(1);
    QCOMPARE(window.compare->currentText(), QString("model-1"));
    QCOMPARE(window.model()->columnCount(), 4);
    QCOMPARE(window.name(3), QString("model-0 \u2212 model-1"));
    QCOMPARE(window.cell(window.row("Precision"), 3), QString("+0.200 [0.162, 0.238]"));
    QCOMPARE(window.cell(window.row("Recall"), 3), QString("-0.0100 [-0.0480, 0.0280]"));
    QVERIFY(window.model()->headerData(3, Qt::Horizontal, Qt::ToolTipRole).toString().contains("95 % interval"));
    QVERIFY(!window.isBest(window.row("Precision"), 3));
    QVERIFY(window.isBest(window.row("Precision"), 0));
    test::shoot(window.view, "scores-compared");
    window.compareWith(0);
    QCOMPARE(window.model()->columnCount(), 3);
    QVERIFY(window.host.models.empty());
}

void ScoresComparisonTest::saysWhatADifferenceTells() {
    Window window({comparableAudit(), 0, nullptr});
    window.compareWith(1);
    const auto fontOf = [&](int row) { return window.model()->index(row, 3).data(Qt::FontRole).value<QFont>(); };
    const int precision = window.row("Precision");
    const int recall = window.row("Recall");
    const int over = window.row("Over-occurring");
    const int pce = window.row("PCE (nats)");
    QCOMPARE(window.verdict(precision, 3), QString("better"));
    QVERIFY(window.hint(precision, 3).contains("excludes 0: model-0 is better (higher is better)."));
    QVERIFY(fontOf(precision).bold());
    QCOMPARE(window.verdict(recall, 3), QString());
    QVERIFY(window.hint(recall, 3).contains("do not tell the two apart"));
    QVERIFY(!fontOf(recall).bold());
    QCOMPARE(window.verdict(over, 3), QString("better")); // lower
    QCOMPARE(window.verdict(pce, 3), QString("higher"));  // on either side of 0
    window.compareWith(2);
    QCOMPARE(window.verdict(pce, 3), QString("nearer")); // 3 nats, beside 4
    window.compareWith(1);
    window.view.showState({window.view.state().audit, 1, nullptr});
    QCOMPARE(window.verdict(precision, 3), QString("worse"));
    QCOMPARE(window.verdict(pce, 3), QString("lower"));
    window.table->setFocus();
    window.search->setText("precision");
    window.click("scoresCopy");
    QToolTip::hideText();
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
    QVERIFY(lines[0].endsWith("\tmodel-1 - model-0\t95 % low\t95 % high\texcludes 0"));
    const QStringList fields = lines.filter("precision\t")[0].split('\t');
    QCOMPARE(fields.size(), 11);
    QVERIFY(std::abs(fields[7].toDouble() + 0.2) < 1e-12 && std::abs(fields[8].toDouble() + 0.238) < 1e-12);
    QCOMPARE(fields[10], QString("yes"));
}

void ScoresComparisonTest::differencesFromASuspiciousModelWarn() {
    const auto audit = test::withModel(comparableAudit(), 1, [&](ModelAudit& model) {
        test::setMetric(model, "authenticity", 0.02);
        model.findings = {test::copiesFinding(0.98)};
        model.summary = model.findings.front().sentence;
    });
    Window window({audit, 0, nullptr});
    window.compareWith(1);
    QVERIFY(window.name(3).endsWith("model-1 (!)"));
    QCOMPARE(window.compare->currentText(), QString("model-1 (!)"));
    QVERIFY(window.hint(window.row("Precision"), 3).contains("98 %"));
    window.compareWith(2);
    QVERIFY(!window.hint(window.row("Recall"), 3).contains("(!)"));
}

void ScoresComparisonTest::saysWhyThereIsNoDifference() {
    Window window({comparableAudit(), 0, nullptr});
    window.compareWith(2);
    QCOMPARE(window.name(3), QString("model-0 \u2212 model-2"));
    const int fld = window.row("Feature likelihood divergence");
    QCOMPARE(window.cell(fld, 3), QString("-"));
    QVERIFY(window.hint(fld, 3).contains("No confidence interval"));
    const int precision = window.row("Precision");
    QCOMPARE(window.cell(precision, 3), QString("-"));
    QCOMPARE(window.verdict(precision, 3), QString());
    QVERIFY(window.hint(precision, 3).contains("model-2: Not defined"));
    const int over = window.row("Over-occurring");
    QCOMPARE(window.cell(over, 3), QString("-"));
    QVERIFY(window.hint(over, 3).contains("model-2: Was not computed"));
}

void ScoresComparisonTest::comparedModelsChangePlaces() {
    const auto audit = comparableAudit();
    Window window({audit, 0, nullptr}, {840, 420});
    window.compareWith(1);
    window.clickHeader(1);
    QCOMPARE(window.name(3), QString("model-1 \u2212 model-0"));
    QCOMPARE(window.compare->currentText(), QString("model-0"));
    window.clickHeader(2);
    QCOMPARE(window.name(3), QString("model-2 \u2212 model-0"));
    QCOMPARE(window.host.models, (std::vector<std::size_t>{1, 2}));
    window.clickHeader(3); // no model
    window.table->setFocus();
    window.table->setCurrentIndex(window.model()->index(0, 3));
    QTest::keyClick(window.table, Qt::Key_Return);
    QCOMPARE(window.host.models.size(), std::size_t{2});
    // By its name it is found again in another audit, where there is one.
    auto other = std::make_shared<AuditResult>(*audit);
    std::swap(other->models[0], other->models[1]);
    window.view.showState({other, 0, nullptr});
    QCOMPARE(window.name(3), QString("model-1 \u2212 model-0"));
    other = std::make_shared<AuditResult>(*audit);
    other->models.erase(other->models.begin());
    window.view.showState({other, 0, nullptr});
    QCOMPARE(window.model()->columnCount(), 2);
    QCOMPARE(window.compare->currentText(), QString("no other model"));
    other->models.pop_back();
    window.view.showState({std::make_shared<AuditResult>(*other), 0, nullptr});
    QVERIFY(!window.compare->isVisible());
}

void ScoresComparisonTest::comparisonStandsBesideTheCurrentModel() {
    const auto audit = comparableAudit();
    Window window({audit, 0, nullptr}, {640, 300});
    window.compareWith(2);
    const QHeaderView* header = window.table->horizontalHeader();
    const auto isInSight = [&](int column) {
        const int left = header->sectionViewportPosition(column);
        return left >= 0 && left + header->sectionSize(column) <= window.table->viewport()->width() + 1;
    };
    QCOMPARE(header->visualIndex(3), 1);
    for (const std::size_t model : {1U, 2U, 0U}) {
        window.view.showState({audit, model, nullptr});
        QCOMPARE(header->visualIndex(3), header->visualIndex(static_cast<int>(model)) + 1);
        QVERIFY(isInSight(static_cast<int>(model)));
        QVERIFY(isInSight(3));
    }
    // The numbers and the word fit beside each other.
    QFont bold = window.table->font();
    bold.setBold(true);
    for (int row = 0; row < window.model()->rowCount(); ++row)
        QVERIFY(QFontMetrics(bold).horizontalAdvance(window.cell(row, 3) + "  " + window.verdict(row, 3)) <
                window.table->columnWidth(3));
    window.compareWith(0);
    for (int column = 0; column < 3; ++column)
        QCOMPARE(header->visualIndex(column), column);
}

void ScoresComparisonTest::warnsOfUnequalSizes() {
    const auto audit = test::withModel(comparableAudit(), 2, [&](ModelAudit& model) {
        model.set = test::fakeAudit({.synthetic = 1200, .models = 1})->models[0]->set;
    });
    Window window({audit, 0, nullptr});
    QVERIFY(!window.sizes->isVisible());
    window.compareWith(2);
    QVERIFY(window.sizes->isVisible());
    QVERIFY(window.sizes->text().contains("80 and 1,200 samples"));
    for (const char* score : {"coverage", "recall", "RCE", "RE"})
        QVERIFY(window.sizes->text().contains(score));
    test::shoot(window.view, "scores-unequal");
    window.compareWith(1);
    QVERIFY(!window.sizes->isVisible());
}

void ScoresComparisonTest::comparesWholeAudits() {
    const auto audit = test::withEveryModel(fullAudit(2), [](ModelAudit& model, std::size_t) {
        for (const MetricValue& metric : model.metrics) {
            MetricResamples resamples{metric.id, std::vector<double>(kResamples)};
            for (std::size_t b = 0; b < kResamples; ++b)
                resamples.values[b] = metric.value * static_cast<double>((b * 7919) % kResamples);
            model.resamples.push_back(resamples);
        }
    });
    Window window({audit, 0, nullptr}, {840, 420});
    window.compareWith(1);
    QCOMPARE(window.model()->columnCount(), 3);
    for (int row = 0; row < window.model()->rowCount(); ++row)
        QVERIFY(window.cell(row, 2).contains(" ["));
    test::shoot(window.view, "scores-compared-full");
}

ASSAY_TEST(scores_comparison_test, ScoresComparisonTest)
#include "scores_comparison_test.moc"
