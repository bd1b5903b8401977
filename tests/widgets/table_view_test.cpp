// The one table: its model, and what every table does by mouse and keys.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/common/colors.h"
#include "widgets/tables/table_view.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

namespace {

struct Fruit {
    QString name;
    double weight;
    double share;
};

enum { Name, Weight, Share, Note };

std::vector<Fruit> fruits() {
    return {{"pear", 3.0, 0.2}, {"Apple", std::nan(""), 0.9}, {"fig", 1.0, 0.5}, {"cherry", 2.0, 0.1}};
}

TableContent content(const std::vector<Fruit>& shown = fruits()) {
    TableContent made{.rows = static_cast<int>(shown.size())};
    const auto of = cellsOf(shown);
    made.columns = {{.title = "Fruit",
                     .hint = "Its name",
                     .cell = of([](const Fruit& fruit) { return textCell(fruit.name); }),
                     .side = Qt::AlignLeft,
                     .least = 6,
                     .takesRoom = true},
                    {.title = "Weight",
                     .cell = of([](const Fruit& fruit) {
                         return cellOf(std::isnan(fruit.weight) ? "-" : QString::number(fruit.weight), fruit.weight);
                     })},
                    {.title = "Share",
                     .cell = of([](const Fruit& fruit) {
                         return TableCell{.text = QString::number(fruit.share),
                                          .sort = fruit.share,
                                          .graphic = CellShare{fruit.share, Side::Real}};
                     }),
                     .leavesAt = 2},
                    {.title = "A remark of many words",
                     .cell = of([](const Fruit& fruit) { return textCell("remark\ton " + fruit.name); }),
                     .leavesAt = 1}};
    made.hint = of([](const Fruit& fruit) { return "about " + fruit.name; });
    made.search = of([](const Fruit& fruit) { return fruit.name; });
    return made;
}

struct FruitWindow {
    TableView table{nullptr};

    explicit FruitWindow(TableContent shown = content(), QSize size = {560, 220}) {
        table.resize(size);
        table.setContent(std::move(shown));
        table.show();
        table.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&table));
    }
    QStringList names() const {
        QStringList names;
        for (int place = 0; place < table.rows().rowCount(); ++place)
            names << table.rows().index(place, Name).data().toString();
        return names;
    }
    void clickHeading(int column) {
        QHeaderView* header = table.horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 8, header->height() / 2});
    }
    void click(int place, int column = Name) {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.rows().index(place, column)).center());
    }
};

} // namespace

class TableViewTest : public QObject {
    Q_OBJECT

private slots:
    void theModelKeepsItsContract();
    void headingsSortWithMissingValuesLast_data();
    void headingsSortWithMissingValuesLast();
    void aSearchReducesTheRows();
    void otherContentKeepsTheOrder();
    void rowsAreChosenByMouseAndKeys();
    void whatIsSetIsNotAnnounced();
    void copiesWhatIsListed();
    void aNarrowTableHidesColumns();
    void namesStayAndAreCopied();
    void isShownWhole();
};

void TableViewTest::theModelKeepsItsContract() {
    RowModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setContent(content());
    const QPersistentModelIndex fig = model.index(2, Weight);
    model.sort(Weight, Qt::DescendingOrder);
    QCOMPARE(model.rowAt(fig.row()), 2);
    QCOMPARE(model.placeOf(2), fig.row());
    model.sort(-1, Qt::DescendingOrder);
    QCOMPARE(model.rowAt(0), 3);
    model.search("e"); // pear, Apple, cherry
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.placeOf(2), -1);
    model.search("none of these");
    QCOMPARE(model.rowCount(), 0);
    model.search({});
    model.refresh();
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.index(0, Name).data(Qt::ToolTipRole).toString(), QString("about cherry"));
    model.setContent({});
    QCOMPARE(model.rowCount() + model.columnCount(), 0);
}

void TableViewTest::headingsSortWithMissingValuesLast_data() {
    test::addColumns<int, int, QStringList>("column", "clicks", "order");
    QTest::newRow("text, whatever its case") << int(Name) << 1 << QStringList{"Apple", "cherry", "fig", "pear"};
    QTest::newRow("text, falling") << int(Name) << 2 << QStringList{"pear", "fig", "cherry", "Apple"};
    QTest::newRow("rising") << int(Weight) << 1 << QStringList{"fig", "cherry", "pear", "Apple"};
    QTest::newRow("falling") << int(Weight) << 2 << QStringList{"pear", "cherry", "fig", "Apple"};
}

void TableViewTest::headingsSortWithMissingValuesLast() {
    QFETCH(int, column);
    QFETCH(int, clicks);
    QFETCH(QStringList, order);
    FruitWindow window;
    QCOMPARE(window.names(), (QStringList{"pear", "Apple", "fig", "cherry"}));
    for (int click = 0; click < clicks; ++click)
        window.clickHeading(column);
    QCOMPARE(window.names(), order);
    test::shoot(window.table, "table");
}

void TableViewTest::aSearchReducesTheRows() {
    FruitWindow window;
    window.clickHeading(Weight);
    window.table.rows().search(" E ");
    QCOMPARE(window.names(), (QStringList{"cherry", "pear", "Apple"}));
    window.table.rows().search({});
    QCOMPARE(window.names().size(), 4);
}

void TableViewTest::otherContentKeepsTheOrder() {
    TableContent sorted = content();
    sorted.sortedBy = Weight;
    FruitWindow window(sorted);
    QCOMPARE(window.names(), (QStringList{"fig", "cherry", "pear", "Apple"}));
    window.clickHeading(Weight); // falling
    window.table.setContent(content({{"plum", 1.0, 0.1}, {"kiwi", 2.0, 0.1}}));
    QCOMPARE(window.names(), (QStringList{"kiwi", "plum"}));
}

void TableViewTest::rowsAreChosenByMouseAndKeys() {
    FruitWindow window;
    QSignalSpy chosen(&window.table, &TableView::rowChosen);
    QSignalSpy opened(&window.table, &TableView::opened);
    window.table.setFocus();
    QCOMPARE(chosen.count(), 0); // to come here is no choice
    window.clickHeading(Weight);
    window.click(1);
    QCOMPARE(chosen.last().at(0).toInt(), 3);
    QCOMPARE(window.table.selectedRows(), std::vector<int>{3});
    QTest::keyClick(&window.table, Qt::Key_Down);
    QCOMPARE(window.table.currentRow(), 0);
    QTest::keyClick(&window.table, Qt::Key_End);
    QCOMPARE(window.table.currentRow(), 1);
    QTest::keyClick(&window.table, Qt::Key_Home);
    QCOMPARE(window.table.currentRow(), 2);
    QTest::keyClick(&window.table, Qt::Key_Return);
    QCOMPARE(opened.last().at(0).toInt(), 2);
    window.click(1, Weight);
    QTest::mouseDClick(window.table.viewport(), Qt::LeftButton, {},
                       window.table.visualRect(window.table.rows().index(1, Weight)).center());
    QCOMPARE(opened.last().at(0).toInt(), 3);
    QCOMPARE(opened.last().at(1).toInt(), int(Weight));
}

void TableViewTest::whatIsSetIsNotAnnounced() {
    FruitWindow window;
    QSignalSpy chosen(&window.table, &TableView::rowChosen);
    QSignalSpy changed(&window.table, &TableView::chosenChanged);
    window.table.showRow(2);
    QCOMPARE(window.table.currentRow(), 2);
    window.table.clearChosen();
    window.table.setContent(content());
    QCOMPARE(chosen.count() + changed.count(), 0);
}

void TableViewTest::copiesWhatIsListed() {
    FruitWindow window;
    QSignalSpy copied(&window.table, &TableView::copied);
    window.table.rows().search("fig");
    QTest::keyClick(&window.table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied.count(), 1);
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QString("Fruit\tWeight\tShare\tA remark of many words\nfig\t1\t0.5\tremark on fig\n"));
}

void TableViewTest::aNarrowTableHidesColumns() {
    FruitWindow window;
    const auto hidden = [&](int column) { return window.table.isColumnHidden(column); };
    QVERIFY(!hidden(Share) && !hidden(Note));
    window.table.resize(200, 220);
    QCoreApplication::processEvents();
    QVERIFY(!hidden(Share) && hidden(Note));
    window.table.resize(130, 220);
    QCoreApplication::processEvents();
    QVERIFY(!hidden(Name) && !hidden(Weight) && hidden(Share) && hidden(Note));
    window.table.resize(560, 220);
    QCoreApplication::processEvents();
    QVERIFY(!hidden(Share) && !hidden(Note));
    int width = 0; // no room is left over
    for (int column = Name; column <= Note; ++column)
        width += window.table.columnWidth(column);
    QCOMPARE(width, window.table.viewport()->width());
}

void TableViewTest::namesStayAndAreCopied() {
    TableContent named = content();
    named.names = named.columns.front();
    named.columns.erase(named.columns.begin());
    FruitWindow window(named);
    QVERIFY(window.table.verticalHeader()->isVisible());
    QCOMPARE(window.table.rows().headerData(1, Qt::Vertical).toString(), QString("Apple"));
    QVERIFY(window.table.rows().toTsv().startsWith("Fruit\tWeight"));
    QHeaderView* names = window.table.verticalHeader();
    QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, {8, names->sectionViewportPosition(2) + 4});
    QCOMPARE(window.table.selectedRows(), std::vector<int>{2});
    test::shoot(window.table, "table-names");
}

void TableViewTest::isShownWhole() {
    TableContent lined = content();
    lined.below = [](int row) { return RowLine{.text = QString::number(row), .ink = colors::mutedText}; };
    FruitWindow window(lined);
    window.table.showWhole();
    QCOMPARE(window.table.sizeHint().height(), window.table.heightOf(4));
    QVERIFY(window.table.minimumSizeHint().width() < window.table.sizeHint().width());
    QCOMPARE(window.table.focusPolicy(), Qt::NoFocus);
}

ASSAY_TEST(table_view_test, TableViewTest)
#include "table_view_test.moc"
