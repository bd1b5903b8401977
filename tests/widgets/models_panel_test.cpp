#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/models/models_model.h"
#include "widgets/models/models_panel.h"
#include "widgets/models/models_tree.h"
#include "widgets/text/model_summary.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QtTest>

using namespace assay;

namespace {

struct ModelsWindow : test::ShownView<ModelsPanel> {
    ModelsTree* tree = view.findChild<ModelsTree*>("modelsTree");

    explicit ModelsWindow(const ViewState& state, int width = 500) : ShownView(state, {width, 260}) {}
    QStringList names() const {
        QStringList result;
        for (int row = 0; row < tree->model()->rowCount(); ++row)
            result << tree->model()->index(row, 0).data().toString();
        return result;
    }
    void clickRow(int row) {
        const QRect rect = tree->visualRect(tree->model()->index(row, ModelsModel::ClippedDensity));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, rect.center());
    }
    void clickHeader(int section) {
        QHeaderView* header = tree->header();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(section) + 8, header->height() / 2));
    }
};

} // namespace

class ModelsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void listsEveryModelWithItsScores();
    void clickAndArrowsChooseAModel();
    void headersSort();
    void explainsTheMark();
    void fitsItsWidth_data();
    void fitsItsWidth();
    void showsTheSameBadShareAtEveryWidth();
    void namesComeBeforeConcerns();
    void passesTheModelTester();
    void keepsTheOrderWhenAModelIsAdded();
    void saysNothingNewOnTheSameState();
    void teachesWhenEmpty();
};

void ModelsPanelTest::listsEveryModelWithItsScores() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 0, nullptr});
    QCOMPARE(window.names(), QStringList({"faithful", "copies (!)", "noise30"}));
    const auto cell = [&](int row, int section) { return window.tree->model()->index(row, section).data().toString(); };
    const double density = metricOr(*audit->models[2], "clipped_density");
    QCOMPARE(cell(2, ModelsModel::ClippedDensity), QLocale().toString(density, 'f', 3));
    QCOMPARE(cell(2, ModelsModel::BadFidelity), QString("%1 %").arg(std::lround(100.0 * (1.0 - density))));
    QCOMPARE(window.tree->currentIndex().row(), 0);
}

void ModelsPanelTest::clickAndArrowsChooseAModel() {
    ModelsWindow window({test::fakeAudit(), 0, nullptr});
    window.clickRow(2);
    QTest::keyClick(window.tree, Qt::Key_Up);
    QTest::keyClick(window.tree, Qt::Key_Up);
    QTest::keyClick(window.tree, Qt::Key_Up); // there is none
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 1, 0}));
}

void ModelsPanelTest::headersSort() {
    ModelsWindow window({test::fakeAudit(), 1, nullptr});
    window.clickHeader(ModelsModel::Name);
    QStringList names = window.names();
    QCOMPARE(names, QStringList({"copies (!)", "faithful", "noise30"}));
    QCOMPARE(window.tree->currentIndex().row(), 0);
    window.clickHeader(ModelsModel::Name);
    QCOMPARE(window.names().front(), QString("noise30"));
    QVERIFY(window.host.models.empty());
    window.clickRow(0);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
    window.clickHeader(ModelsModel::Pce);
    window.clickHeader(ModelsModel::Pce);
    QCOMPARE(window.names().front(), QString("noise30")); // the highest PCE
}

void ModelsPanelTest::explainsTheMark() {
    ModelsWindow window({test::fakeAudit(), 0, nullptr});
    const QModelIndex copies = window.tree->model()->index(1, 0);
    QVERIFY(copies.data(Qt::ToolTipRole).toString().contains("copies of real ones"));
    QVERIFY(!window.tree->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains("(!)"));
    for (int section = 0; section < ModelsModel::SectionCount; ++section)
        QVERIFY(!window.tree->model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

void ModelsPanelTest::fitsItsWidth_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("compact");
    QTest::newRow("narrow dock") << 260 << true;
    QTest::newRow("wide") << 500 << false;
    QTest::newRow("very wide") << 900 << false;
}

void ModelsPanelTest::fitsItsWidth() {
    QFETCH(int, width);
    QFETCH(bool, compact);
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    auto longName = std::make_shared<ModelAudit>(*audit->models[0]);
    longName->name = "stable-diffusion-v2-guidance-7.5-steps-50";
    audit->models.push_back(longName);
    ModelsWindow window({audit, 1, nullptr}, width);
    QCOMPARE(window.tree->isCompact(), compact);
    int used = 0;
    for (int section = 0; section < ModelsModel::SectionCount; ++section)
        used += window.tree->columnWidth(section);
    QVERIFY2(used <= window.tree->viewport()->width(), qPrintable(QString::number(used)));
    test::shoot(window.view, QString("models-%1").arg(width));
}

void ModelsPanelTest::showsTheSameBadShareAtEveryWidth() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    auto copies = std::make_shared<ModelAudit>(*audit->models[1]);
    std::erase_if(copies->metrics, [](const MetricValue& value) { return value.id == "bad_share"; });
    copies->metrics.push_back({"bad_share", 0.999});
    copies->metrics.push_back({"verdict_rejected", 0.998});
    std::erase_if(copies->columns, [](const ColumnValues& values) { return values.id == "verdict"; });
    audit->models[1] = copies;
    for (const int width : {210, 226, 260, 300, 420}) {
        ModelsWindow window({audit, 1, nullptr}, width);
        const QModelIndex row = window.tree->model()->index(1, 0);
        QVERIFY(window.tree->isCompact());
        const QString shown = window.tree->badShareShown(row, window.tree->columnWidth(ModelsModel::Name));
        QVERIFY2(shown == "99.9 %" || shown == "99.9 % bad", qPrintable(shown));
        // It ends before the number beside it begins, and is as long in every row.
        const QFontMetrics metrics = window.tree->fontMetrics();
        for (int at = 0; at < window.tree->model()->rowCount(); ++at) {
            const QModelIndex name = window.tree->model()->index(at, 0);
            const QString share = window.tree->badShareShown(name, window.tree->columnWidth(ModelsModel::Name));
            const QString number = name.siblingAtColumn(ModelsModel::ClippedDensity).data().toString();
            QVERIFY(metrics.horizontalAdvance(share) + metrics.horizontalAdvance(number) <
                    window.tree->columnWidth(ModelsModel::Name) +
                        window.tree->columnWidth(ModelsModel::ClippedDensity));
            QCOMPARE(share.endsWith("bad") || share == "like real", shown.endsWith("bad"));
        }
        QVERIFY(row.data(Qt::ToolTipRole)
                    .toString()
                    .contains("99.9 % bad: the flagged samples, and an estimate of others"));
        test::shoot(window.view, QString("models-bad-share-%1").arg(width));
    }
}

void ModelsPanelTest::namesComeBeforeConcerns() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    auto mixed = std::make_shared<ModelAudit>(*audit->models[1]);
    mixed->name = "mixed";
    mixed->findings = {test::copiesFinding(0.31)};
    audit->models[1] = mixed;
    ModelsWindow window({audit, 0, nullptr}, 226);
    const QModelIndex row = window.tree->model()->index(1, 0);
    const QFontMetrics metrics = window.tree->fontMetrics();
    const QString concern = row.data(ModelsModel::ConcernRole).toString();
    QVERIFY(!concern.isEmpty());
    const auto wide = window.tree->compactTitle(row, metrics, 600);
    QCOMPARE(wide.name, QString("mixed (!)"));
    QCOMPARE(wide.concern, concern);
    const int nameWidth = metrics.horizontalAdvance("mixed (!)");
    const auto narrow =
        window.tree->compactTitle(row, metrics, nameWidth + 10 + metrics.horizontalAdvance(concern) - 1);
    QCOMPARE(narrow.name, QString("mixed (!)"));
    QVERIFY(narrow.concern.endsWith(QChar(0x2026)) || narrow.concern.isEmpty());
    QCOMPARE(window.tree->compactTitle(row, metrics, nameWidth).name, QString("mixed (!)"));
    QVERIFY(window.tree->compactTitle(row, metrics, nameWidth).concern.isEmpty());
    test::shoot(window.view, "models-names");
}

void ModelsPanelTest::passesTheModelTester() {
    ModelsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setAudit(test::fakeAudit());
    QCOMPARE(model.rowCount(), 3);
    model.setShortHeaders(true);
    model.setAudit(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void ModelsPanelTest::keepsTheOrderWhenAModelIsAdded() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 1, nullptr});
    window.clickHeader(ModelsModel::Name);
    auto grown = std::make_shared<AuditResult>(*audit);
    auto early = std::make_shared<ModelAudit>(*audit->models[0]);
    early->name = "aardvark";
    grown->models.push_back(early);
    window.view.showState({grown, 1, nullptr});
    QCOMPARE(window.names().front(), QString("aardvark"));
    QCOMPARE(window.tree->currentIndex().data().toString(), QString("copies (!)"));
    QVERIFY(window.host.models.empty());
}

void ModelsPanelTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 0, nullptr});
    window.view.showState({audit, 0, nullptr});
    window.view.showState({audit, 2, nullptr});
    QVERIFY(window.host.models.empty());
}

void ModelsPanelTest::teachesWhenEmpty() {
    ModelsWindow window({});
    auto* hint = window.view.findChild<QLabel*>("panelMessage");
    QVERIFY(hint->isVisible());
    window.view.showState({test::fakeAudit(), 0, nullptr});
    QVERIFY(!hint->isVisible());
    window.view.showState({});
    QVERIFY(hint->isVisible());
    QVERIFY(window.host.models.empty());
}

ASSAY_TEST(models_panel_test, ModelsPanelTest)
#include "models_panel_test.moc"
