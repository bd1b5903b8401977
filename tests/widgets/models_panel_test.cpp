#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/models/models_panel.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/names.h"

#include <QtWidgets>

using namespace assay;

namespace {

struct ModelsWindow : test::ShownView<ModelsPanel> {
    TableView* table = view.findChild<TableView*>("modelsTable");

    explicit ModelsWindow(const ViewState& state, int width = 500) : ShownView(state, {width, 260}) {}
    QStringList names() const {
        QStringList result;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            result << table->model()->index(row, 0).data().toString();
        return result;
    }
    void clickRow(int row) {
        const QRect rect = table->visualRect(table->model()->index(row, ModelDensity));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, rect.center());
    }
    void clickHeader(int section) {
        QHeaderView* header = table->horizontalHeader();
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
    void theBestComesFirst();
    void keepsTheOrderWhenAModelIsAdded();
    void saysNothingNewOnTheSameState();
};

void ModelsPanelTest::listsEveryModelWithItsScores() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 0, nullptr});
    QCOMPARE(window.names(), QStringList({"faithful", "noise30", "copies (!)"})); // the best first
    const auto cell = [&](int row, int section) {
        return window.table->model()->index(row, section).data().toString();
    };
    const double density = metricOr(*audit->models[2], "clipped_density");
    QCOMPARE(cell(1, ModelDensity), QLocale().toString(density, 'f', 3));
    QCOMPARE(cell(1, ModelBadFidelity), QString("%1 %").arg(std::lround(100.0 * (1.0 - density))));
    QCOMPARE(window.table->currentIndex().row(), 0);
}

void ModelsPanelTest::clickAndArrowsChooseAModel() {
    ModelsWindow window({test::fakeAudit(), 0, nullptr});
    window.clickRow(2);
    QTest::keyClick(window.table, Qt::Key_Up);
    QTest::keyClick(window.table, Qt::Key_Up);
    QTest::keyClick(window.table, Qt::Key_Up); // there is none
    QCOMPARE(window.host.models, (std::vector<std::size_t>{1, 2, 0}));
}

void ModelsPanelTest::headersSort() {
    ModelsWindow window({test::fakeAudit(), 1, nullptr});
    window.clickHeader(ModelName);
    QStringList names = window.names();
    QCOMPARE(names, QStringList({"copies (!)", "faithful", "noise30"}));
    QCOMPARE(window.table->currentIndex().row(), 0);
    window.clickHeader(ModelName);
    QCOMPARE(window.names().front(), QString("noise30"));
    QVERIFY(window.host.models.empty());
    window.clickRow(0);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
    window.clickHeader(ModelPce);
    window.clickHeader(ModelPce);
    QCOMPARE(window.names().front(), QString("noise30")); // the highest PCE
}

void ModelsPanelTest::explainsTheMark() {
    ModelsWindow window({test::fakeAudit(), 0, nullptr});
    const QModelIndex copies = window.table->model()->index(2, 0);
    QVERIFY(copies.data(Qt::ToolTipRole).toString().contains("copies of real ones"));
    QVERIFY(!window.table->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains("(!)"));
    for (int section = 0; section <= ModelPce; ++section)
        QVERIFY(!window.table->model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

void ModelsPanelTest::fitsItsWidth_data() {
    test::addColumns<int, bool>("width", "compact");
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
    QCOMPARE(static_cast<bool>(window.table->content().above), compact);
    int used = 0;
    for (int section = 0; section <= ModelPce; ++section)
        used += window.table->columnWidth(section);
    QVERIFY2(used <= window.table->viewport()->width(), qPrintable(QString::number(used)));
    test::shoot(window.view, QString("models-%1").arg(width));
}

void ModelsPanelTest::showsTheSameBadShareAtEveryWidth() {
    const auto audit = test::withModel(test::fakeAudit(), 1, [&](ModelAudit& model) {
        test::setMetric(model, "bad_share", 0.999);
        model.metrics.push_back({"verdict_rejected", 0.998});
        std::erase_if(model.columns, [](const ColumnValues& values) { return values.id == "verdict"; });
    });
    for (const int width : {210, 226, 260, 300, 420, 500, 900}) {
        ModelsWindow window({audit, 1, nullptr}, width);
        const int place = window.table->rows().placeOf(1);
        const QModelIndex cell = window.table->model()->index(place, ModelVerdict);
        QCOMPARE(cell.data().toString(), QString("99.9 % bad"));
        QVERIFY(window.table->columnWidth(ModelVerdict) > window.table->fontMetrics().horizontalAdvance("99.9 % bad"));
        QVERIFY(cell.data(Qt::ToolTipRole)
                    .toString()
                    .contains("99.9 % bad: the flagged samples, and an estimate of others"));
        test::shoot(window.view, QString("models-bad-share-%1").arg(width));
    }
}

void ModelsPanelTest::theBestComesFirst() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    const auto withShare = [&](std::size_t m, double share, bool isMarked) {
        audit = test::withModel(audit, m, [&](ModelAudit& model) {
            test::setMetric(model, "bad_share", share);
            model.findings = isMarked ? std::vector{test::copiesFinding(share)} : std::vector<Finding>();
        });
    };
    withShare(0, 0.40, true);
    withShare(1, 0.20, true);
    withShare(2, 0.04, false); // nothing was found: a few per cent are no accusation
    ModelsWindow window({audit, 0, nullptr});
    QCOMPARE(window.names(), QStringList({"noise30", "copies (!)", "faithful (!)"}));
    const QHeaderView* header = window.table->horizontalHeader();
    QCOMPARE(header->sortIndicatorSection(), int(ModelVerdict)); // the key is marked, and explained
    QVERIFY(window.table->model()
                ->headerData(ModelVerdict, Qt::Horizontal, Qt::ToolTipRole)
                .toString()
                .contains("the best model comes first"));
    window.clickHeader(ModelVerdict);
    QCOMPARE(window.names().front(), QString("faithful (!)"));
}

void ModelsPanelTest::namesComeBeforeConcerns() {
    const auto audit = test::withModel(test::fakeAudit(), 1, [](ModelAudit& model) {
        model.name = "mixed";
        model.findings = {test::copiesFinding(0.31)};
    });
    ModelsWindow window({audit, 0, nullptr}, 226);
    const RowLine line = window.table->content().above(1);
    QCOMPARE(line.text + line.suffix, QString("mixed (!)"));
    QVERIFY(!line.aside.isEmpty());
    QVERIFY(window.table->content().above(0).aside.isEmpty());
    test::shoot(window.view, "models-names");
}

void ModelsPanelTest::keepsTheOrderWhenAModelIsAdded() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 1, nullptr});
    window.clickHeader(ModelName);
    auto grown = std::make_shared<AuditResult>(*audit);
    auto early = std::make_shared<ModelAudit>(*audit->models[0]);
    early->name = "aardvark";
    grown->models.push_back(early);
    window.view.showState({grown, 1, nullptr});
    QCOMPARE(window.names().front(), QString("aardvark"));
    QCOMPARE(window.table->currentIndex().data().toString(), QString("copies (!)"));
    QVERIFY(window.host.models.empty());
}

void ModelsPanelTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    ModelsWindow window({audit, 0, nullptr});
    window.view.showState({audit, 0, nullptr});
    window.view.showState({audit, 2, nullptr});
    QVERIFY(window.host.models.empty());
}

ASSAY_TEST(models_panel_test, ModelsPanelTest)
#include "models_panel_test.moc"
