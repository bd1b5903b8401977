// Coloured numbers in rows and columns.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/charts/figure.h"
#include "widgets/common/colors.h"
#include "widgets/tables/cell_delegate.h"
#include "widgets/tables/heat_table.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

namespace {

/// Names 0 .. count - 1 in front of a text; cell (r, c) has the shade r c / (count - 1)^2.
HeatContent content(int count, const QString& name = {}) {
    HeatContent made;
    made.rowsTitle = QStringLiteral("Own class");
    made.columnsTitle = QStringLiteral("Nearest class");
    for (int at = 0; at < count; ++at)
        made.rows << QStringLiteral("%1%2").arg(name).arg(at);
    made.columns = made.rows;
    made.cell = [count](HeatPlace at) {
        const auto [row, column] = at;
        const double shade = static_cast<double>(row * column) / std::max(1.0, std::pow(count - 1.0, 2.0));
        return HeatCell{.shade = row == 0 ? std::nan("") : shade,
                        .text = row == 0 ? QString() : QString::number(shade, 'f', 2),
                        .isSame = row == column};
    };
    made.toolTip = [](HeatPlace at) { return QStringLiteral("%1, %2").arg(at.row).arg(at.column); };
    return made;
}

struct HeatWindow {
    HeatTable table{nullptr};

    explicit HeatWindow(HeatContent shown, QSize size = {560, 320}) {
        table.resize(size);
        table.setHeat(std::move(shown));
        table.show();
        table.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&table));
    }
    QPoint place(int row, int column) const { return table.visualRect(table.model()->index(row, column)).center(); }
    void click(int row, int column, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, keys, place(row, column));
    }
};

using Places = std::vector<HeatPlace>;

} // namespace

namespace assay {
char* toString(const HeatPlace& place) {
    return QTest::toString(QStringLiteral("%1, %2").arg(place.row).arg(place.column));
}
} // namespace assay

class HeatTableTest : public QObject {
    Q_OBJECT

private slots:
    void cellsSayWhatTheyShow();
    void nothingIsTheBackground_data() { test::addChoice("dark", "light", "dark"); }
    void nothingIsTheBackground();
    void clicksAndKeysChooseCells();
    void namesChooseRowsAndColumns();
    void doubleClickAndEnterOpen();
    void whatIsClearedIsNotAnnounced();
    void everyNumberIsReadable();
    void longNamesAreTurnedAndElided();
    void aMillionCellsOpenAtOnce();
    void figuresAreWhole();
};

void HeatTableTest::cellsSayWhatTheyShow() {
    HeatWindow window(content(4));
    const RowModel& rows = window.table.rows();
    const auto shade = [&](int row, int column) {
        return std::get<CellShade>(rows.cell(rows.index(row, column)).graphic);
    };
    QCOMPARE(rows.index(3, 2).data().toString(), QStringLiteral("0.67"));
    QVERIFY(std::isnan(shade(0, 2).at));
    QVERIFY(shade(2, 2).isSame && !shade(2, 1).isSame);
    QCOMPARE(rows.index(3, 2).data(Qt::ToolTipRole).toString(), QStringLiteral("3, 2"));
    window.table.setHeat({});
    QCOMPARE(rows.rowCount() + rows.columnCount(), 0);
}

void HeatTableTest::nothingIsTheBackground() {
    QFETCH(bool, dark);
    const QPalette before = QApplication::palette();
    if (dark)
        test::useDarkPalette();
    const QPalette palette = QApplication::palette();
    QCOMPARE(colors::amount(0.0, palette).rgb(), palette.color(QPalette::Base).rgb());
    for (int step = 1; step <= 20; ++step) { // the more, the darker, on a dark palette the lighter
        const int less = colors::amount((step - 1) / 20.0, palette).lightness();
        const int more = colors::amount(step / 20.0, palette).lightness();
        QVERIFY(dark ? more > less : more < less);
    }
    HeatWindow window(content(5));
    test::shoot(window.table, dark ? "heat-dark" : "heat-light");
    QApplication::setPalette(before);
}

void HeatTableTest::clicksAndKeysChooseCells() {
    HeatWindow window(content(5));
    QSignalSpy changed(&window.table, &HeatTable::chosenChanged);
    window.click(1, 2);
    QCOMPARE(window.table.chosen(), (Places{{1, 2}}));
    window.click(3, 0, Qt::ControlModifier);
    QCOMPARE(window.table.chosen(), (Places{{1, 2}, {3, 0}}));
    window.click(1, 2, Qt::ControlModifier);
    QCOMPARE(window.table.chosen(), (Places{{3, 0}}));
    QTest::keyClick(&window.table, Qt::Key_Right);
    QCOMPARE(window.table.chosen().size(), std::size_t{1});
    window.table.choose({2, 2});
    QTest::keyClick(&window.table, Qt::Key_Down);
    QCOMPARE(window.table.chosen(), (Places{{3, 2}}));
    QTest::keyClick(&window.table, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(window.table.chosen(), (Places{{3, 1}, {3, 2}}));
    QVERIFY(changed.count() >= 6);
}

void HeatTableTest::namesChooseRowsAndColumns() {
    HeatWindow window(content(3));
    QHeaderView* rows = window.table.verticalHeader();
    QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, {8, rows->sectionViewportPosition(1) + 5});
    QCOMPARE(window.table.chosen(), (Places{{1, 0}, {1, 1}, {1, 2}}));
    QHeaderView* columns = window.table.horizontalHeader();
    QTest::mouseClick(columns->viewport(), Qt::LeftButton, {},
                      {columns->sectionViewportPosition(2) + 5, columns->height() - 4});
    QCOMPARE(window.table.chosen(), (Places{{0, 2}, {1, 2}, {2, 2}}));
    QTest::mouseClick(window.table.findChild<QWidget*>("tableCorner"), Qt::LeftButton);
    QCOMPARE(window.table.chosen().size(), std::size_t{9});
}

void HeatTableTest::doubleClickAndEnterOpen() {
    HeatWindow window(content(4));
    QSignalSpy opened(&window.table, &HeatTable::opened);
    QTest::keyClick(&window.table, Qt::Key_Return);
    QCOMPARE(opened.count(), 0); // nothing is chosen
    window.click(2, 1);
    QTest::mouseDClick(window.table.viewport(), Qt::LeftButton, {}, window.place(2, 1));
    QCOMPARE(opened.count(), 1);
    QTest::keyClick(&window.table, Qt::Key_Return);
    QCOMPARE(opened.count(), 2);
    QCOMPARE(window.table.chosen(), (Places{{2, 1}}));
}

void HeatTableTest::whatIsClearedIsNotAnnounced() {
    HeatWindow window(content(4));
    window.click(2, 1);
    QSignalSpy changed(&window.table, &HeatTable::chosenChanged);
    window.table.clearChosen();
    QVERIFY(window.table.chosen().empty());
    window.table.setHeat(content(3));
    QCOMPARE(changed.count(), 0);
}

void HeatTableTest::everyNumberIsReadable() {
    // Contrast of WCAG 2 for text: 4.5.
    const auto luminance = [](const QColor& color) {
        double sum = 0.0;
        const std::array<std::pair<float, double>, 3> parts{
            {{color.redF(), 0.2126}, {color.greenF(), 0.7152}, {color.blueF(), 0.0722}}};
        for (const auto& [part, weight] : parts)
            sum += weight * (part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
        return sum;
    };
    for (int step = 0; step <= 200; ++step) {
        const QColor fill = colors::amount(step / 200.0, QPalette());
        const double ink = luminance(inkOn(fill));
        const double ground = luminance(fill);
        const double contrast = (std::max(ink, ground) + 0.05) / (std::min(ink, ground) + 0.05);
        QVERIFY2(contrast >= 4.5, qPrintable(QString::number(contrast)));
    }
}

void HeatTableTest::longNamesAreTurnedAndElided() {
    HeatWindow window(content(6, QStringLiteral("golden retriever of many words ")));
    const int wide = window.table.verticalHeader()->width();
    QVERIFY(wide < window.table.width() / 2);
    QVERIFY(window.table.horizontalHeader()->height() > 60);
    test::shoot(window.table, "heat-long-names");
    window.table.setHeat(content(6, QString(10'000, QLatin1Char('x'))));
    QVERIFY(window.table.verticalHeader()->width() < window.table.width() / 2);
    const QVariant tip = window.table.model()->headerData(0, Qt::Vertical, Qt::ToolTipRole);
    QVERIFY(tip.toString().size() < 400);
    window.table.setHeat(content(6));
    QVERIFY(window.table.horizontalHeader()->height() < 60);
    test::shoot(window.table, "heat");
}

void HeatTableTest::aMillionCellsOpenAtOnce() {
    HeatWindow window(content(1));
    QElapsedTimer clock;
    clock.start();
    window.table.setHeat(content(1'000, QStringLiteral("class ")));
    window.table.grab();
    QVERIFY2(clock.elapsed() <= 100, qPrintable(QString::number(clock.elapsed())));
    clock.restart();
    window.table.choose({999, 998});
    window.table.grab();
    QVERIFY2(clock.elapsed() <= 100, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(window.table.viewport()->rect().contains(window.place(999, 998)));
    QCOMPARE(window.table.chosen(), (Places{{999, 998}}));
}

void HeatTableTest::figuresAreWhole() {
    HeatWindow window(content(60), {200, 120}); // a small part of it is in sight
    Figure figure;
    figure.chart = window.table.figureChart();
    const QSize size = figureSize(figure, FigureCaption::Hidden).toSize();
    QVERIFY(size.width() > 40 * 30 && size.height() > 40 * 15);
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    paintFigure(painter, figure, FigureCaption::Hidden);
    painter.end();
    const auto* drawn = static_cast<const TableView*>(figure.chart);
    const QRect cell = drawn->visualRect(drawn->rows().index(39, 39));
    QCOMPARE(image.pixelColor(drawn->viewport()->pos() + cell.topLeft() + QPoint(3, 3)).rgb(),
             colors::amount(39.0 * 39.0 / (59.0 * 59.0), QPalette(QColor(Qt::white))).rgb());
    QCOMPARE(image.pixelColor(1, 1).rgb(), QColor(Qt::white).rgb());
}

ASSAY_TEST(heat_table_test, HeatTableTest)
#include "heat_table_test.moc"
