#include "engine/metrics/catalog/catalog.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/classes/classes_table.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QtWidgets>

#include <numeric>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> relabelled(const EmbeddingSet& set, std::vector<std::string> names,
                                               std::vector<std::uint32_t> codes) {
    EmbeddingParts parts = test::partsOf(set);
    parts.labels.names = std::move(names);
    parts.labels.code = std::move(codes);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::vector<std::uint32_t> threeInTurn(std::size_t rows) {
    std::vector<std::uint32_t> codes(rows);
    for (std::uint32_t row = 0; row < rows; ++row)
        codes[row] = row % 3;
    return codes;
}

/// Real rows are 2, 10 and 9 in turn; the model makes 9 and 10 only, in blocks.
std::shared_ptr<const AuditResult> audit(bool realLabels = true, bool syntheticLabels = true) {
    const auto made = test::fakeAudit({.models = 2});
    const EmbeddingSet& real = *made->real->set;
    const auto result = test::withRealSet(
        made, realLabels ? relabelled(real, {"2", "10", "9"}, threeInTurn(real.rows())) : relabelled(real, {}, {}));
    return test::withEveryModel(result, [&](ModelAudit& model, std::size_t) {
        std::vector<std::uint32_t> blocks(model.set->rows());
        for (std::size_t row = 0; row < blocks.size(); ++row)
            blocks[row] = row < 30 ? 0 : 1;
        model.set = syntheticLabels ? relabelled(*model.set, {"9", "10"}, blocks) : relabelled(*model.set, {}, {});
    });
}

/// The same with every score of the catalogue, which is too much to show at once.
std::shared_ptr<const AuditResult> manyColumns() {
    const auto shown = audit();
    return test::withEveryModel(shown, [&](ModelAudit& model, std::size_t) {
        model.columns.clear();
        for (const Column& column : columnCatalog()) {
            const std::size_t rows = column.side == Side::Real ? shown->real->set->rows() : model.set->rows();
            model.columns.push_back({column.id, std::vector<double>(rows, 0.5)});
        }
    });
}

struct ClassesWindow : test::ShownView<ClassesPanel> {
    ClassesTable* table = view.findChild<ClassesTable*>("classesTable");
    QHeaderView* names = table->verticalHeader(); ///< stay in sight
    QWidget* corner = table->findChild<QWidget*>("tableCorner");
    QLabel* note = view.findChild<QLabel*>("classesNote");

    explicit ClassesWindow(const ViewState& state) : ShownView(state, {760, 260}) {}
    QString text(int row, int column) const { return table->model()->index(row, column).data().toString(); }
    QString name(int row) const { return table->model()->headerData(row, Qt::Vertical).toString(); }
    QString title(int column) const { return table->model()->headerData(column, Qt::Horizontal).toString(); }
    int columnTitled(const QString& wanted) const {
        for (int column = 0; column < table->model()->columnCount(); ++column)
            if (title(column) == wanted)
                return column;
        return -1;
    }
    void click(int row, Qt::KeyboardModifiers keys = {}) const {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, keys,
                          table->visualRect(table->model()->index(row, ClassesTable::RealColumn)).center());
    }
};

} // namespace

class ClassesPanelTest : public QObject {
    Q_OBJECT

private slots:
    void theNoteStaysShort();
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void countsAndMeansByClass();
    void namesWhatIsMissing();
    void clickSelectsTheSamplesOfAClass();
    void countsWhatIsSelectedElsewhere();
    void scoresAreColoured_data() { test::addChoice("dark", "light", "dark"); }
    void scoresAreColoured();
    void doubleClickAndEnterShowOneClass();
    void scoresAreAFigure();
    void headingsSortByValue();
    void followsTheModel();
    void classesStayInSight();
    void clicksOnNamesAreClicksOnRows();
    void namesSortAndResize();
    void headingsFitAndTellTheSides();
    void longNamesDiffer();
    void teachesWithoutLabels();
};

void ClassesPanelTest::countsAndMeansByClass() {
    const auto result = audit();
    ClassesWindow window({result, 1, nullptr});
    QCOMPARE(window.name(0), QStringLiteral("2")); // as numbers: 2, 9, 10
    QCOMPARE(window.name(1), QStringLiteral("9"));
    QCOMPARE(window.name(2), QStringLiteral("10"));
    QCOMPARE(window.text(1, ClassesTable::RealColumn), QStringLiteral("20"));
    QCOMPARE(window.text(1, ClassesTable::SyntheticColumn), QStringLiteral("30"));
    QCOMPARE(window.text(2, ClassesTable::SyntheticColumn), QStringLiteral("50"));
    QCOMPARE(window.title(ClassesTable::FixedColumns), QStringLiteral("Fidelity"));
    const auto& fidelity = result->models[1]->column("fidelity");
    const double mean = std::accumulate(fidelity.begin(), fidelity.begin() + 30, 0.0) / 30.0;
    QCOMPARE(window.text(1, ClassesTable::FixedColumns), formatNumber(mean));
    QCOMPARE(window.text(0, ClassesTable::FixedColumns), QStringLiteral("-"));
    const auto& coverage = result->models[1]->column("coverage");
    double covered = 0.0;
    for (std::size_t row = 0; row < coverage.size(); row += 3)
        covered += coverage[row] / 20.0;
    QCOMPARE(window.text(0, window.columnTitled("Coverage")), formatNumber(covered));
    test::shoot(window.view, "classes");
}

void ClassesPanelTest::namesWhatIsMissing() {
    ClassesWindow window({audit(), 0, nullptr});
    QCOMPARE(window.text(0, ClassesTable::SyntheticColumn), QStringLiteral("missing"));
    QVERIFY(window.note->text().contains("Missing") && window.note->text().endsWith(": class 2"));
    const auto all = test::withModel(audit(), 0, [&](ModelAudit& model) {
        model.set = relabelled(*model.set, {"9", "10", "2"}, threeInTurn(model.set->rows()));
    });
    window.view.showState({all, 0, nullptr});
    QVERIFY(window.note->text().startsWith("Every class"));
    window.view.showState({audit(true, false), 0, nullptr});
    QVERIFY(window.note->text().contains("no labels"));
    QCOMPARE(window.text(0, ClassesTable::SyntheticColumn), QStringLiteral("-"));
}

void ClassesPanelTest::clickSelectsTheSamplesOfAClass() {
    ClassesWindow window({audit(), 1, nullptr});
    window.click(1);
    QCOMPARE(window.selection.samples().size(), std::size_t{30});
    QCOMPARE(window.selection.samples().front(), (SampleId{syntheticSet(1), 0}));
    QVERIFY(window.selection.contains({syntheticSet(1), 29}));
    window.click(2, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{80});
    window.click(0); // missing: the real samples that have no counterpart
    QCOMPARE(window.selection.samples().size(), std::size_t{20});
    QVERIFY(isReal(window.selection.samples().front().set));
    QTest::keyClick(window.table, Qt::Key_Down);
    QCOMPARE(window.selection.samples().size(), std::size_t{30});
    const QPoint below(20, window.table->viewport()->height() - 4);
    QVERIFY(!window.table->indexAt(below).isValid());
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, {}, below);
    QVERIFY(window.selection.isEmpty());
}

void ClassesPanelTest::countsWhatIsSelectedElsewhere() {
    ClassesWindow window({audit(), 1, nullptr});
    window.click(1);
    QCOMPARE(window.text(1, ClassesTable::SelectedColumn), QStringLiteral("30"));
    window.selection.replace({{syntheticSet(1), 70}, {SetId::Real, 0}, {SetId::Real, 3}, {syntheticSet(0), 1}});
    QCOMPARE(window.text(0, ClassesTable::SelectedColumn), QStringLiteral("2"));
    QCOMPARE(window.text(1, ClassesTable::SelectedColumn), QString());
    QCOMPARE(window.text(2, ClassesTable::SelectedColumn), QStringLiteral("1"));
    QVERIFY(!window.table->selectionModel()->hasSelection());
    QCOMPARE(window.selection.samples().size(), std::size_t{4}); // looking changes nothing
}

void ClassesPanelTest::scoresAreColoured() {
    QFETCH(bool, dark);
    const QPalette before = QApplication::palette();
    if (dark)
        test::useDarkPalette();
    ClassesWindow window({audit(), 1, nullptr});
    int coloured = 0;
    for (int row = 0; row < 3; ++row)
        for (int column = ClassesTable::FixedColumns; column < window.table->model()->columnCount(); ++column) {
            const QModelIndex cell = window.table->model()->index(row, column);
            const QRect rect = window.table->visualRect(cell);
            const double shade = std::get<CellShade>(window.table->rows().cell(cell).graphic).at;
            QCOMPARE(!std::isnan(shade), cell.data().toString() != QStringLiteral("-"));
            if (std::isnan(shade) || !window.table->viewport()->rect().contains(rect))
                continue;
            ++coloured;
            const auto seen = [&] {
                return window.table->viewport()->grab().toImage().pixelColor(rect.left() + 4, rect.center().y()).rgb();
            };
            const QRgb wanted = colors::amount(shade, window.table->palette()).rgb();
            QCOMPARE(seen(), wanted);
            window.click(row);
            QCOMPARE(seen(), wanted); // a selected row keeps its colours
        }
    QVERIFY(coloured > 4);
    test::shoot(window.view, "classes-selected");
    QApplication::setPalette(before);
}

void ClassesPanelTest::doubleClickAndEnterShowOneClass() {
    ClassesWindow window({audit(), 1, nullptr});
    const QPoint nine = window.table->visualRect(window.table->model()->index(1, ClassesTable::RealColumn)).center();
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, {}, nine);
    QTest::mouseDClick(window.table->viewport(), Qt::LeftButton, {}, nine);
    QCOMPARE(window.view.state().filter.className, std::optional<std::string>("9"));
    QTest::keyClick(window.table, Qt::Key_Return);
    QVERIFY(window.view.state().filter.empty());
    QTest::keyClick(window.table, Qt::Key_Down);
    QTest::keyClick(window.table, Qt::Key_Return);
    QCOMPARE(window.view.state().filter.className, std::optional<std::string>("10"));
}

void ClassesPanelTest::scoresAreAFigure() {
    ClassesWindow window({manyColumns(), 0, nullptr});
    const auto figure = window.view.figure();
    QVERIFY(figure && figure->chart != nullptr);
    QCOMPARE(figure->data.size(), std::size_t{4});
    QCOMPARE(figure->data[0].first(4), (QStringList{"class", "real", "synthetic", "fidelity"}));
    QCOMPARE(figure->data[2].first(4), (QStringList{"9", "20", "30", "0.5"}));
    QCOMPARE(figure->data[1][2], QStringLiteral("0"));
    QVERIFY(figureSize(*figure, FigureCaption::Hidden).width() > 600);
}

void ClassesPanelTest::headingsSortByValue() {
    ClassesWindow window({audit(), 0, nullptr});
    window.table->sortByColumn(ClassesTable::SyntheticColumn, Qt::DescendingOrder);
    QCOMPARE(window.name(0), QStringLiteral("10"));
    window.table->sortByColumn(ClassesTable::FixedColumns, Qt::AscendingOrder);
    QCOMPARE(window.text(2, ClassesTable::FixedColumns), QStringLiteral("-")); // what has no value comes last
    window.click(2);
    QVERIFY(isReal(window.selection.samples().front().set)); // rows are classes, wherever they stand
}

void ClassesPanelTest::followsTheModel() {
    ClassesWindow window({audit(), 0, nullptr});
    window.click(1);
    window.selection.clear();
    window.view.showState({window.view.state().audit, 1, nullptr});
    QVERIFY(window.selection.isEmpty());
    window.click(1);
    QCOMPARE(window.selection.samples().front().set, syntheticSet(1));
}

void ClassesPanelTest::classesStayInSight() {
    ClassesWindow window({manyColumns(), 0, nullptr});
    QScrollBar* bar = window.table->horizontalScrollBar();
    QVERIFY(bar->maximum() > 0);
    const auto seen = [&] { return window.names->grab().toImage(); };
    const QImage before = seen();
    bar->setValue(bar->maximum());
    QVERIFY(window.table->visualRect(window.table->model()->index(0, 0)).right() < 0);
    QVERIFY(window.names->isVisible());
    QVERIFY(seen() == before);
    QCOMPARE(window.corner->geometry(), QRect(0, 0, window.names->width(), window.table->horizontalHeader()->height()));
    test::shoot(window.view, "classes-scrolled");
    window.view.resize(760, 170);
    QCoreApplication::processEvents();
    QVERIFY(window.table->verticalScrollBar()->maximum() > 0);
    // By keys every score comes into sight, beside the names and not below them.
    window.table->setFocus();
    window.table->setCurrentIndex(window.table->model()->index(2, window.table->model()->columnCount() - 1));
    while (window.table->currentIndex().column() > 0) {
        QTest::keyClick(window.table, Qt::Key_Left);
        QVERIFY(window.table->visualRect(window.table->currentIndex()).left() >= 0);
    }
}

void ClassesPanelTest::clicksOnNamesAreClicksOnRows() {
    ClassesWindow window({manyColumns(), 1, nullptr});
    window.table->setFocus();
    window.table->horizontalScrollBar()->setValue(window.table->horizontalScrollBar()->maximum());
    const auto click = [&](int row, Qt::KeyboardModifiers keys = {}) {
        const QPoint name(8, window.names->sectionViewportPosition(row) + 4);
        QTest::mouseClick(window.names->viewport(), Qt::LeftButton, keys, name);
    };
    click(1);
    QCOMPARE(window.selection.samples().size(), std::size_t{30});
    click(2, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{80});
    click(0);
    window.click(2); // beside the names: Shift on a name goes on from there
    click(1, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{80});
    QCOMPARE(window.view.focusWidget(), window.table);
}

void ClassesPanelTest::namesSortAndResize() {
    ClassesWindow window({manyColumns(), 0, nullptr});
    const auto click = [&] { QTest::mouseClick(window.corner, Qt::LeftButton, {}, QPoint(8, 10)); };
    click();
    QCOMPARE(window.name(0), QStringLiteral("10"));
    click();
    QCOMPARE(window.name(0), QStringLiteral("2"));
    window.table->sortByColumn(ClassesTable::SyntheticColumn, Qt::DescendingOrder);
    QCOMPARE(window.name(0), QStringLiteral("10"));
    click();
    QCOMPARE(window.name(0), QStringLiteral("2"));
    const QPoint edge(window.corner->width() - 2, 10);
    QTest::mousePress(window.corner, Qt::LeftButton, {}, edge);
    QTest::mouseMove(window.corner, QPoint(150, 10));
    QTest::mouseRelease(window.corner, Qt::LeftButton, {}, QPoint(150, 10));
    QCOMPARE(window.names->width(), 150);
    QCOMPARE(window.corner->width(), 150);
    QCOMPARE(window.name(0), QStringLiteral("2")); // no click
}

void ClassesPanelTest::headingsFitAndTellTheSides() {
    ClassesWindow window({manyColumns(), 0, nullptr});
    const QAbstractItemModel& model = *window.table->model();
    const QFontMetrics metrics(window.table->horizontalHeader()->font());
    QSet<QString> spoken;
    int centres = 0;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString side = window.table->content().column(column).below;
        QCOMPARE(side.isEmpty(), column < ClassesTable::FixedColumns);
        for (const QString& word : window.title(column).split(' '))
            QVERIFY2(metrics.horizontalAdvance(word) < window.table->columnWidth(column), qPrintable(word));
        centres += window.title(column) == QLatin1String("Distance from the centre") ? 1 : 0;
        if (!side.isEmpty())
            spoken.insert(model.headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString());
    }
    QCOMPARE(centres, 2); // one of either side, in words too
    QCOMPARE(spoken.size(), model.columnCount() - ClassesTable::FixedColumns);
    QVERIFY(window.table->horizontalHeader()->height() >= 3 * metrics.lineSpacing());
    // What is written is seen: dark marks above the bar, in every heading in sight.
    const QImage image = window.table->horizontalHeader()->grab().toImage();
    const QHeaderView* header = window.table->horizontalHeader();
    const int column = window.columnTitled("Coverage");
    const QRect text(header->sectionViewportPosition(column) + 4, 0, header->sectionSize(column) - 8,
                     header->height() - 6);
    int dark = 0;
    for (int y = text.top(); y < text.bottom(); ++y)
        for (int x = text.left(); x < text.right(); ++x)
            dark += image.pixelColor(x, y).lightness() < 100 ? 1 : 0;
    QVERIFY2(dark > 20, qPrintable(QString::number(dark)));
}

void ClassesPanelTest::longNamesDiffer() {
    const auto shown = audit();
    const EmbeddingSet& real = *shown->real->set;
    const std::string start(200, 'x');
    const ClassesWindow window(
        {test::withRealSet(shown, relabelled(real, {start + "1", start + "2", start + "3"}, threeInTurn(real.rows()))),
         1, nullptr});
    window.table->setAlternatingRowColors(false);
    const auto picture = [&](int row) {
        const QRect name(0, window.names->sectionViewportPosition(row), window.names->width(),
                         window.names->sectionSize(row));
        return window.names->viewport()->grab(name).toImage();
    };
    QCOMPARE(picture(0), picture(0));
    QVERIFY(picture(0) != picture(1));
}

void ClassesPanelTest::teachesWithoutLabels() {
    ClassesWindow window({audit(), 0, nullptr});
    QVERIFY(!window.hint->isVisible());
    window.view.showState({audit(false, false), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("labels"));
}

void ClassesPanelTest::theNoteStaysShort() {
    const auto made = test::fakeAudit({.models = 1});
    const EmbeddingSet& real = *made->real->set;
    std::vector<std::string> names;
    for (int name = 10; name < 60; ++name) // as many as the set has samples, nearly
        names.push_back(std::string(2000, 'x') + std::to_string(name));
    std::vector<std::uint32_t> codes(real.rows());
    for (std::uint32_t row = 0; row < codes.size(); ++row)
        codes[row] = row % 50;
    const auto result =
        test::withModel(test::withRealSet(made, relabelled(real, names, codes)), 0, [&](ModelAudit& model) {
            model.set = relabelled(*model.set, {names.front()}, std::vector<std::uint32_t>(model.set->rows(), 0));
        });
    const ClassesWindow window({result, 0, nullptr});
    const QString note = window.note->text();
    QVERIFY2(note.startsWith("Missing from") && note.contains("xx11, "), qPrintable(note)); // told apart by their ends
    QVERIFY2(note.contains("and 29 more"), qPrintable(note));
    QVERIFY2(note.size() < 1200, qPrintable(note));
}

ASSAY_TEST(classes_panel_test, ClassesPanelTest)
#include "classes_panel_test.moc"
