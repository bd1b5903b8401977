#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/features/feature_tables.h"
#include "widgets/features/features_panel.h"

#include <QtWidgets>

using namespace assay;

namespace {

constexpr std::size_t kFeatures = 12;

/// Feature 4 differs, feature 2 is constant in the real set of the second model alone.
std::shared_ptr<const AuditResult> auditOfFeatures() {
    auto result = std::make_shared<AuditResult>(*test::fakeAudit({.models = 2}));
    for (std::size_t m = 0; m < 2; ++m) {
        auto model = std::make_shared<ModelAudit>(*result->models[m]);
        FeatureDifferences& differences = model->featureDifferences;
        differences.realRows = result->real->set->rows();
        differences.syntheticRows = model->set->rows();
        const auto add = [&](std::uint32_t feature, double distance, double deviation) {
            differences.features.push_back({.feature = feature,
                                            .distance = distance,
                                            .byChance = 0.1 * deviation,
                                            .realMean = 10.0 * feature,
                                            .realDeviation = deviation,
                                            .syntheticMean = 10.0 * feature + distance,
                                            .syntheticDeviation = 1.5});
        };
        if (m == 1)
            add(2, 0.25, 0.0);
        add(4, 3.0, 2.0);
        for (std::uint32_t feature = 0; feature < kFeatures; ++feature)
            if (feature != 4 && (m == 0 || feature != 2))
                add(feature, 0.2 - 0.01 * feature, 1.0);
        result->models[m] = model;
    }
    return result;
}

struct FeaturesWindow : test::ShownView<FeaturesPanel> {
    QTableView* table = view.findChild<QTableView*>("featuresTable");
    QLabel* answer = view.findChild<QLabel*>("featuresAnswer");

    explicit FeaturesWindow(const ViewState& state) : ShownView(state, {700, 320}) {}
    QString text(int row, int column) const { return table->model()->index(row, column).data().toString(); }
};

} // namespace

class FeaturesPanelTest : public QObject {
    Q_OBJECT

private slots:
    void whatDiffersMostComesFirst();
    void aClickOnAHeadingSorts();
    void anotherModelIsShown();
    void everyNumberIsExplained();
    void saysWhenTheAuditLeftThemOut();
};

void FeaturesPanelTest::whatDiffersMostComesFirst() {
    FeaturesWindow window({auditOfFeatures(), 0, nullptr});
    QCOMPARE(window.text(0, feature_columns::Feature), QString("feature 4"));
    QCOMPARE(window.text(0, feature_columns::Distance), QString("1.50"));
    QCOMPARE(window.text(0, feature_columns::ByChance), QString("0.100"));
    QCOMPARE(window.text(0, feature_columns::SyntheticMean), QString("43.0"));
    QCOMPARE(window.text(1, feature_columns::Feature), QString("feature 0"));
    QVERIFY2(window.answer->text().contains("Features that differ by more than chance: 1 of 12."),
             qPrintable(window.answer->text()));
    QVERIFY2(window.answer->text().contains("feature 4, by 1.50 standard"), qPrintable(window.answer->text()));
    test::shoot(window.view, "features");
}

void FeaturesPanelTest::aClickOnAHeadingSorts() {
    FeaturesWindow window({auditOfFeatures(), 0, nullptr});
    QHeaderView* header = window.table->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 10, header->height() / 2});
    };
    click(feature_columns::Feature);
    const QString first = window.text(0, feature_columns::Feature);
    click(feature_columns::Feature);
    const QString last = window.text(0, feature_columns::Feature);
    QVERIFY((first == "feature 0" && last == "feature 11") || (first == "feature 11" && last == "feature 0"));
}

void FeaturesPanelTest::anotherModelIsShown() {
    FeaturesWindow window({auditOfFeatures(), 0, nullptr});
    window.view.showState({window.view.state().audit, 1, nullptr});
    QCOMPARE(window.text(0, feature_columns::Feature), QString("feature 2"));
    QCOMPARE(window.text(0, feature_columns::Distance), QString(QChar(0x221e)));
    QVERIFY2(window.answer->text().contains("constant in the real set"), qPrintable(window.answer->text()));
}

void FeaturesPanelTest::everyNumberIsExplained() {
    FeaturesWindow window({auditOfFeatures(), 0, nullptr});
    for (int column = 0; column < 7; ++column) {
        QVERIFY(!window.table->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        QVERIFY(!window.table->model()->index(0, column).data(Qt::ToolTipRole).toString().isEmpty());
    }
}

void FeaturesPanelTest::saysWhenTheAuditLeftThemOut() {
    FeaturesWindow window({auditOfFeatures(), 0, nullptr});
    QVERIFY(!window.hint->isVisible());
    window.view.showState({test::fakeAudit(), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("quick"));
}

ASSAY_TEST(features_panel_test, FeaturesPanelTest)
#include "features_panel_test.moc"
