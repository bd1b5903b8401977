// Charts as they go into papers, and the numbers they draw.
#include "gui/window/figure_file.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/curves/curve_view.h"
#include "widgets/distribution/histogram_view.h"
#include "widgets/scatter/scatter_panel.h"

#include <QtWidgets>

using namespace assay;

class FigureTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyChartCanBeSaved_data() { test::addTexts("panel", {"scatter", "distribution", "curves"}); }
    void everyChartCanBeSaved();
    void histogramDataAreTheBars();
    void scatterDataAreTheScores();
    void curveDataAreTheLines();
    void dataOfHostileNamesAreQuoted();
    void looksTheSameInADarkWindow();
    void refusesPlacesThatAreNone();
    void menuCopiesThePicture();

private:
    Panel* view(const QString& panel) {
        auto* dock = window_->findChild<QDockWidget*>(panel);
        dock->raise();
        QCoreApplication::processEvents();
        return qobject_cast<Panel*>(dock->widget());
    }
    /// Rows of a CSV file without quotes in it.
    QList<QStringList> saved(const Figure& figure) {
        const QString path = file("data.csv");
        QList<QStringList> rows;
        if (saveFigureData(figure, path).isEmpty())
            for (const QByteArray& line : test::contentOf(path).trimmed().split('\n'))
                rows << QString::fromUtf8(line).trimmed().split(QLatin1Char(','));
        return rows;
    }
};

void FigureTest::initTestCase() {
    QVERIFY(openDemo());
}

void FigureTest::everyChartCanBeSaved() {
    QFETCH(QString, panel);
    const auto figure = view(panel)->figure();
    QVERIFY(figure && !figure->title.isEmpty() && figure->caption.contains(QLatin1String("k = 5")));
    const QString folder = qEnvironmentVariable("ASSAY_SHOT_DIR", demo_->file({}));
    for (const char* suffix : {"svg", "pdf", "png", "jpg"}) {
        const QString path = folder + QStringLiteral("/figure-%1.%2").arg(panel, QLatin1String(suffix));
        QCOMPARE(saveFigure(*figure, FigureCaption::Shown, 2, path), QString());
        QVERIFY(QFileInfo(path).size() > 1000);
    }
    const QByteArray text = test::contentOf(folder + QStringLiteral("/figure-%1.svg").arg(panel));
    QVERIFY(text.contains("<text")); // which stays text
    QVERIFY(!text.contains("<image"));
    QVERIFY(text.contains("Assay "));
    const QSize size = figureSize(*figure, FigureCaption::Shown).toSize();
    QCOMPARE(QImage(folder + QStringLiteral("/figure-%1.png").arg(panel)).size(), size * 2);
    QVERIFY(figureSize(*figure, FigureCaption::Hidden).height() < size.height());
    for (const int scale : {1, 3, 4})
        QCOMPARE(figureImage(*figure, FigureCaption::Shown, scale).size(), size * scale);
}

void FigureTest::histogramDataAreTheBars() {
    auto* bars = view(QStringLiteral("distribution"))->findChild<HistogramView*>();
    const QList<QStringList> rows = saved(*bars->figure());
    QCOMPARE(static_cast<std::size_t>(rows.size()), bars->bins().count() + 1);
    std::size_t sum = 0;
    for (qsizetype i = 1; i < rows.size(); ++i) {
        QCOMPARE(rows[i][2].toULongLong(), bars->countIn(static_cast<std::size_t>(i - 1)));
        sum += rows[i][2].toULongLong();
    }
    QCOMPARE(sum, state().current().set->rows());
}

void FigureTest::scatterDataAreTheScores() {
    const QList<QStringList> rows = saved(*view(QStringLiteral("scatter"))->figure());
    const auto& models = state().audit->models;
    QCOMPARE(static_cast<std::size_t>(rows.size()), models.size() + 1);
    for (std::size_t m = 0; m < models.size(); ++m) {
        const QStringList& row = rows[static_cast<qsizetype>(m) + 1];
        QCOMPARE(row[0], QString::fromStdString(models[m]->name));
        QCOMPARE(row[1].toDouble(), models[m]->metric("clipped_density"));
        QCOMPARE(row[2].toDouble(), models[m]->metric("clipped_coverage"));
    }
}

void FigureTest::curveDataAreTheLines() {
    const auto figure = view(QStringLiteral("curves"))->figure();
    const QList<QStringList> rows = saved(*figure);
    const CurveValues& curve = state().current().curves.front();
    std::size_t found = 0;
    for (const CurveLine& line : curve.lines)
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            for (const QStringList& row : rows)
                if (row[1].toDouble() == curve.x[i] && row[2].toDouble() == line.y[i]) {
                    ++found;
                    break;
                }
    QVERIFY(found >= figure->legend.size() * curve.x.size() / 2);
    QCOMPARE(static_cast<std::size_t>(rows.size()) - 1, figure->legend.size() * curve.x.size());
}

void FigureTest::dataOfHostileNamesAreQuoted() {
    Figure figure;
    figure.data = {{QStringLiteral("a,\"b\"\nc"), QStringLiteral("1")}};
    const QString path = file("hostile.csv");
    QCOMPARE(saveFigureData(figure, path), QString());
    QCOMPARE(test::contentOf(path), QByteArray("\"a,\"\"b\"\"\nc\",1\n"));
}

void FigureTest::looksTheSameInADarkWindow() {
    for (const QString& panel : {QStringLiteral("scatter"), QStringLiteral("distribution"), QStringLiteral("curves")}) {
        Panel* shown = view(panel);
        demo_->theme.setChoice(ThemeChoice::Light);
        QCoreApplication::processEvents();
        const QImage light = figureImage(*shown->figure(), FigureCaption::Shown, 1);
        demo_->theme.setChoice(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const QPalette before = shown->palette();
        const QImage dark = figureImage(*shown->figure(), FigureCaption::Shown, 1);
        QCOMPARE(shown->palette(), before); // and the window stays as it was
        demo_->theme.setChoice(ThemeChoice::Light);
        QVERIFY2(dark == light, qPrintable(panel));
    }
}

void FigureTest::refusesPlacesThatAreNone() {
    const auto figure = view(QStringLiteral("scatter"))->figure();
    QVERIFY(saveFigure(*figure, FigureCaption::Shown, 1, QStringLiteral("/nowhere/at/all.svg"))
                .contains(QLatin1String("/nowhere/at/all.svg")));
    QVERIFY(saveFigure(*figure, FigureCaption::Shown, 1, file("figure.tiff")).contains(QLatin1String(".svg")));
    QVERIFY(!QFile::exists(file("figure.tiff")));
}

void FigureTest::menuCopiesThePicture() {
    Panel* shown = view(QStringLiteral("scatter"));
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(50, 50), shown->mapToGlobal(QPoint(50, 50)));
    QCoreApplication::sendEvent(shown, &event);
    auto* menu = child<QMenu>("panelMenu");
    QVERIFY(menu);
    menu->findChild<QAction*>(QStringLiteral("menuCopyPicture"))->trigger();
    menu->close();
    QCOMPARE(QGuiApplication::clipboard()->image().size(),
             figureSize(*shown->figure(), FigureCaption::Shown).toSize() * 2);
}

ASSAY_TEST(figure_test, FigureTest)
#include "figure_test.moc"
