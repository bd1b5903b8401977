// The classes of nearest real samples as a table of shares.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/classes/nearest_classes_view.h"
#include "widgets/tables/heat_table.h"

#include <QtWidgets>

#include <random>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> withClasses(const EmbeddingSet& set, const std::vector<std::string>& labels) {
    EmbeddingParts parts = test::partsOf(set);
    parts.labels = labelsFromText(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Classes drawn at random from so many, with a prefix.
std::vector<std::string> drawnClasses(std::size_t rows, unsigned classes, const std::string& prefix, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < rows; ++row)
        labels.push_back(prefix + std::to_string(random() % classes));
    return labels;
}

std::shared_ptr<const AuditResult> confusedAudit(unsigned classes = 4, const std::string& prefix = {},
                                                 const test::FakeOptions& options = {.models = 2}) {
    const auto made = test::fakeAudit(options);
    const EmbeddingSet& real = *made->real->set;
    const auto result = test::withRealSet(made, withClasses(real, drawnClasses(real.rows(), classes, prefix, 1)));
    return test::withEveryModel(result, [&](ModelAudit& model, std::size_t m) {
        model.set =
            withClasses(*model.set, drawnClasses(model.set->rows(), classes, prefix, static_cast<unsigned>(m) + 2));
    });
}

struct NearestWindow : test::ShownView<ClassesPanel> {
    QComboBox* picker = view.findChild<QComboBox*>("classesPicker");
    HeatTable* table = view.findChild<HeatTable*>("nearestClassesTable");
    QComboBox* order = view.findChild<QComboBox*>("nearestClassesOrder");
    QPushButton* only = view.findChild<QPushButton*>("nearestClassesOnly");
    QLabel* note = view.findChild<QLabel*>("nearestClassesNote");

    explicit NearestWindow(const ViewState& state) : ShownView(state, {700, 340}) {
        picker->setFocus();
        QTest::keyClick(picker, Qt::Key_Down); // as a person would
        QVERIFY(table->isVisible());
    }
    QPoint place(int row, int column) const { return table->visualRect(table->model()->index(row, column)).center(); }
    void click(int row, int column, Qt::KeyboardModifiers keys = {}) const {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, keys, place(row, column));
    }
    /// The samples of a cell, by a plain loop.
    SampleSet samples(const std::string& own, const std::string& nearest) const {
        const AuditResult& of = *view.state().audit;
        const ModelAudit& model = view.state().current();
        return SampleSet::where(view.state().currentSet(), model.set->rows(), [&](std::size_t row) {
            const std::uint32_t to = model.tables->synthetic.nearest.indexAt(row, 0);
            return model.set->labelText(row) == own && of.real->set->labelText(to) == nearest;
        });
    }
};

} // namespace

class NearestClassesViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void aClickSelectsTheSamplesOfACell();
    void keysChooseAndFilter();
    void doubleClickAndButtonFilter();
    void othersChoicesClearTheCells();
    void followsTheModel();
    void theMostConfusedComeFirst();
    void isAFigure();
    void looksRight_data();
    void looksRight();
    void aThousandClassesOpenAtOnce();
    void largeSetsAreAskedFor();
    void saysWhatIsMissing();
};

void NearestClassesViewTest::aClickSelectsTheSamplesOfACell() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    window.click(2, 1);
    QVERIFY(!window.samples("2", "1").empty());
    QVERIFY(window.selection.samples() == window.samples("2", "1"));
    window.click(0, 3, Qt::ControlModifier);
    QVERIFY(window.selection.samples() == (window.samples("2", "1") | window.samples("0", "3")));
    const QString tip = window.table->model()->index(2, 1).data(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QString::number(window.samples("2", "1").size())) && tip.contains("class 1"));
    QVERIFY(window.note->text().contains("Most confused"));
}

void NearestClassesViewTest::keysChooseAndFilter() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    window.click(0, 0);
    QTest::keyClick(window.table, Qt::Key_Right);
    QTest::keyClick(window.table, Qt::Key_Down);
    QVERIFY(window.selection.samples() == window.samples("1", "1"));
    QTest::keyClick(window.table, Qt::Key_Return);
    QVERIFY(window.view.state().filter.among && *window.view.state().filter.among == window.samples("1", "1"));
    QTest::keyClick(window.table, Qt::Key_Return);
    QVERIFY(window.view.state().filter.empty());
}

void NearestClassesViewTest::doubleClickAndButtonFilter() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    QVERIFY(!window.only->isEnabled());
    window.click(2, 1);
    QVERIFY(window.only->isEnabled() && !window.only->isChecked());
    QTest::mouseClick(window.only, Qt::LeftButton);
    QVERIFY(*window.view.state().filter.among == window.samples("2", "1"));
    QVERIFY(window.only->isChecked());
    // Another cell, whose samples the filter hides.
    window.click(0, 3);
    QVERIFY(window.selection.isEmpty() && !window.only->isChecked());
    QTest::mouseDClick(window.table->viewport(), Qt::LeftButton, {}, window.place(0, 3));
    QVERIFY(*window.view.state().filter.among == window.samples("0", "3"));
    QVERIFY(window.selection.samples() == window.samples("0", "3"));
    QVERIFY(window.only->isChecked());
    QTest::mouseClick(window.only, Qt::LeftButton);
    QVERIFY(window.view.state().filter.empty() && !window.only->isChecked());
}

void NearestClassesViewTest::othersChoicesClearTheCells() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    window.click(2, 1);
    window.selection.select({syntheticSet(0), 3});
    QVERIFY(window.table->chosen().empty() && !window.only->isEnabled());
    QCOMPARE(window.selection.samples().size(), std::size_t{1});
}

void NearestClassesViewTest::followsTheModel() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    window.view.showState({window.view.state().audit, 1, nullptr});
    window.click(1, 2);
    QVERIFY(window.selection.samples() == window.samples("1", "2"));
    QVERIFY(window.selection.samples().front().set == syntheticSet(1));
    window.picker->setCurrentIndex(0); // behind the scores it is told of no state
    window.view.showState({window.view.state().audit, 0, nullptr});
    window.picker->setCurrentIndex(1);
    window.click(1, 2);
    QVERIFY(window.selection.samples() == window.samples("1", "2"));
}

void NearestClassesViewTest::theMostConfusedComeFirst() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    const auto found = nearestClasses(*window.view.state().audit, 0);
    QCOMPARE(window.order->currentIndex(), 0); // few classes have their own order
    window.order->setFocus();
    QTest::keyClick(window.order, Qt::Key_Down);
    const std::vector<std::uint32_t> order = confusedFirst(*found);
    QVERIFY(order != (std::vector<std::uint32_t>{0, 1, 2, 3}));
    for (int at = 0; at < 4; ++at)
        QCOMPARE(window.table->model()->headerData(at, Qt::Horizontal).toString().toStdString(),
                 found->classes[order[static_cast<std::size_t>(at)]]);
    window.click(0, 1);
    QVERIFY(window.selection.samples() == window.samples(found->classes[order[0]], found->classes[order[1]]));
}

void NearestClassesViewTest::isAFigure() {
    NearestWindow window({confusedAudit(), 0, nullptr});
    const auto figure = window.view.figure();
    QVERIFY(figure && figure->chart != nullptr);
    const auto found = nearestClasses(*window.view.state().audit, 0);
    QCOMPARE(figure->data.size(), found->cells.size() + 1);
    QCOMPARE(figure->data[0].first(3), (QStringList{"synthetic_class", "nearest_real_class", "samples"}));
    const NearestClassCount& second = found->cells[1];
    QCOMPARE(figure->data[2][0].toStdString(), found->classes[second.own]);
    QCOMPARE(figure->data[2][2].toUInt(), second.count);
    QCOMPARE(figure->data[2][3].toDouble(), found->share(second.own, second.nearest));
    const auto ofReal = nearestClassesOfReal(*window.view.state().audit);
    QCOMPARE(figure->data[2][4].toDouble(), ofReal->share(second.own, second.nearest));
}

void NearestClassesViewTest::looksRight_data() {
    test::addColumns<unsigned, QString>("classes", "prefix");
    QTest::newRow("one") << 1U << "";
    QTest::newRow("ten") << 10U << "";
    QTest::newRow("forty-long") << 40U << "a class of a long and winding name ";
    QTest::newRow("ten-thousand-letters") << 6U << QString(10'000, QLatin1Char('w'));
}

void NearestClassesViewTest::looksRight() {
    QFETCH(unsigned, classes);
    QFETCH(QString, prefix);
    const bool isLarge = classes > 10;
    NearestWindow window({confusedAudit(classes, prefix.toStdString(),
                                        {.real = isLarge ? 400U : 60U, .synthetic = isLarge ? 500U : 80U, .models = 1}),
                          0, nullptr});
    QCOMPARE(window.order->currentIndex(), classes > NearestClassesView::kMaxInOrder ? 1 : 0);
    QCOMPARE(window.table->model()->columnCount(), static_cast<int>(classes));
    window.click(0, 0);
    QVERIFY(window.table->width() <= window.view.width()); // however long the names
    test::shoot(window.view, QStringLiteral("nearest-classes-%1").arg(QTest::currentDataTag()));
}

void NearestClassesViewTest::aThousandClassesOpenAtOnce() {
    const auto many = confusedAudit(1'000, "class number ", {.real = 3'000, .synthetic = 4'000, .models = 2});
    NearestWindow window({many, 0, nullptr});
    QElapsedTimer clock;
    clock.start();
    window.view.showState({many, 1, nullptr});
    window.view.grab();
    QVERIFY2(clock.elapsed() <= 100, qPrintable(QString::number(clock.elapsed())));
    clock.restart();
    QTest::keyClick(window.table, Qt::Key_A, Qt::ControlModifier);
    QVERIFY2(clock.elapsed() <= 300, qPrintable(QString::number(clock.elapsed()))); // a million cells
    QCOMPARE(window.selection.samples().size(), std::size_t{4'000});
}

void NearestClassesViewTest::largeSetsAreAskedFor() {
    const auto audit = confusedAudit();
    test::ShownView<ClassesPanel> window({}, {700, 340});
    std::vector<std::size_t> wanted;
    window.host.onRequest = [&](const PanelRequest& request) {
        if (request.question == "classes")
            wanted.push_back(window.view.state().model);
    };
    window.view.showState({audit, 0, nullptr});
    QVERIFY(wanted.empty()); // the scores are shown
    window.view.findChild<QComboBox*>("classesPicker")->setCurrentIndex(1);
    QCOMPARE(wanted, (std::vector<std::size_t>{0}));
    const auto* note = window.view.findChild<QLabel*>("nearestClassesNote");
    auto* table = window.view.findChild<HeatTable*>("nearestClassesTable");
    QVERIFY(note->text().startsWith("Looking"));
    window.view.showClasses(std::make_shared<const ComparedClasses>(compareClasses(*audit, 1))); // of another model
    QCOMPARE(table->model()->rowCount(), 0);
    window.view.showClasses(std::make_shared<const ComparedClasses>(compareClasses(*audit, 0)));
    QCOMPARE(table->model()->rowCount(), 4);
    QVERIFY(note->text().contains("Most confused"));
    ViewFilter filter;
    filter.text = QStringLiteral("1");
    window.showFiltered(filter);
    QCOMPARE(wanted.size(), std::size_t{1}); // the same model is not asked for again
    window.view.showState({audit, 1, nullptr});
    QCOMPARE(wanted, (std::vector<std::size_t>{0, 1}));
    QCOMPARE(table->model()->rowCount(), 0);
}

void NearestClassesViewTest::saysWhatIsMissing() {
    auto none = std::make_shared<AuditResult>(*confusedAudit());
    auto model = std::make_shared<ModelAudit>(*none->models[0]);
    model->set = withClasses(*model->set, std::vector<std::string>(model->set->rows(), "quite another"));
    none->models[0] = model;
    NearestWindow window({none, 0, nullptr});
    QVERIFY(window.note->text().contains("no class in common"));
    model->tables = std::make_shared<const PairTables>(); // not found yet
    auto bare = std::make_shared<AuditResult>(*none);
    bare->models[0] = std::make_shared<ModelAudit>(*model);
    window.view.showState({bare, 0, nullptr});
    QVERIFY(window.note->text().contains("labels"));
    QVERIFY(!window.view.figure());
}

ASSAY_TEST(nearest_classes_view_test, NearestClassesViewTest)
#include "nearest_classes_view_test.moc"
