// What the 3D view shows.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/space_window.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/space/view/color_bar.h"

#include <QtTest>
#include <QtWidgets>

#include <cmath>

using namespace assay;
using test::cloud;
using test::makeFixture;
using test::Points;
using test::setOf;
using test::smallFixture;
using Fixture = test::SpaceFixture;

namespace {

/// Pixels of a grab around a position of the widget that come close to a colour.
int pixelsLike(const QImage& image, QPointF at, int reach, const QColor& color, int tolerance = 40) {
    int count = 0;
    const double scale = image.devicePixelRatio();
    for (int y = static_cast<int>((at.y() - reach) * scale); y <= static_cast<int>((at.y() + reach) * scale); ++y)
        for (int x = static_cast<int>((at.x() - reach) * scale); x <= static_cast<int>((at.x() + reach) * scale); ++x) {
            if (!image.rect().contains(x, y))
                continue;
            const QColor found = image.pixelColor(x, y);
            if (std::abs(found.red() - color.red()) < tolerance &&
                std::abs(found.green() - color.green()) < tolerance &&
                std::abs(found.blue() - color.blue()) < tolerance)
                ++count;
        }
    return count;
}

} // namespace

class SpaceViewTest : public QObject, test::SpaceWindow {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init();
    void cleanup() { close(); }
    void saysWhatWouldBeHere();
    void dropsThePointsOfAnotherModel();
    void lightsUpASelectionFromOutsideWithoutMoving();
    void explainsTheFocusedSample();
    void togglesHidePoints();
    void fadesRejectedSamples();
    void coloursByAnyColumn();
    void survivesRedocking();
    void followsThePalette();
    void picksAndDrawsManyPoints();
    void saysSoWithoutOpenGl();
};

void SpaceViewTest::init() {
    open();
    if (!view_->hasOpenGl() && QTest::currentTestFunction() != QByteArray("saysSoWithoutOpenGl"))
        QSKIP("no OpenGL on this display");
}

void SpaceViewTest::saysWhatWouldBeHere() {
    QVERIFY(view_->message().contains("Open a real and a synthetic set"));
    const Fixture fixture = smallFixture();
    ViewState realOnly = fixture.state;
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    audit->models.clear();
    realOnly.audit = audit;
    view_->showState(realOnly);
    QVERIFY(view_->message().contains("Open a synthetic set"));
    view_->showState(fixture.state);
    QVERIFY(view_->message().contains("Placing samples"));
    QVERIFY(!view_->screenPosition(synthetic(0)));
    show(fixture);
    QVERIFY(view_->screenPosition(synthetic(0)));
    view_->showState({});
    QVERIFY(view_->message().contains("Open a real and a synthetic set"));
}

void SpaceViewTest::dropsThePointsOfAnotherModel() {
    Fixture fixture = smallFixture();
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    auto other = std::make_shared<ModelAudit>(*audit->models[0]);
    other->name = "vae";
    other->set = setOf(fixture.points->synthetic, "vae");
    audit->models.push_back(other);
    fixture.state.audit = audit;
    show(fixture);
    // A larger audit of the same sets keeps the picture.
    ViewState next = test::placed(fixture);
    next.audit = std::make_shared<AuditResult>(*audit);
    view_->showState(next);
    QCOMPARE(view_->message(), QString());
    next.model = 1;
    next.computed.points = nullptr; // as the document does
    view_->showState(next);
    QVERIFY(view_->message().contains("Placing samples"));
}

void SpaceViewTest::lightsUpASelectionFromOutsideWithoutMoving() {
    show(smallFixture());
    const SampleId id = isolated(syntheticSet(0));
    const QPointF at = *view_->screenPosition(id);
    const QColor yellow = colors::selected(view_->palette());
    const int before = pixelsLike(grab(), at, 10, yellow);
    QSignalSpy changed(selection_.get(), &SampleSelection::changed);
    selection_->select(id);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(*view_->screenPosition(id), at);
    QVERIFY(pixelsLike(grab(), at, 10, yellow) > before + 40);
    selection_->clear();
    QCOMPARE(pixelsLike(grab(), at, 10, yellow), before);
}

void SpaceViewTest::explainsTheFocusedSample() {
    show(smallFixture());
    const SampleId fake = isolated(syntheticSet(0));
    const QImage before = grab();
    selection_->select(fake);
    const auto* caption = view_->findChild<QLabel*>("spaceCaption");
    QVERIFY(caption->text().contains("5 nearest real and 5 nearest synthetic samples"));
    QVERIFY(caption->text().contains("projection of the ball of real"));
    // The triangle: from it to its nearest real sample, and from there to that one's nearest other.
    const Fixture fixture = smallFixture();
    const NeighborTable& toReal = fixture.state.current().tables->synthetic.nearest;
    const NeighborTable& among = fixture.state.audit->real->neighbors;
    const double own = toReal.distanceAt(fake.row, 0);
    const double usual = among.distanceAt(toReal.indexAt(fake.row, 0), 0);
    const QString triangle = QStringLiteral("%1 to its nearest real sample, %2")
                                 .arg(formatNumber(own), QString::number(toReal.indexAt(fake.row, 0)));
    QVERIFY2(caption->text().contains(triangle), qPrintable(caption->text()));
    QCOMPARE(caption->text().contains("not authentic"), own <= usual);
    QVERIFY(grab() != before);
    selection_->select(isolated(SetId::Real));
    QVERIFY(caption->text().contains("projection of its own ball"));
}

void SpaceViewTest::togglesHidePoints() {
    show(smallFixture());
    const SampleId fake = isolated(syntheticSet(0));
    const QPointF at = *view_->screenPosition(fake);
    const QColor background = view_->palette().color(QPalette::Base);
    const int empty = pixelsLike(grab(), at, 2, background, 12);
    QTest::mouseClick(view_->findChild<QCheckBox*>("spaceShowSynthetic"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(!view_->screenPosition(fake));
    QVERIFY(pixelsLike(grab(), at, 2, background, 12) > empty);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->mapFrom(view_, at.toPoint()));
    QVERIFY(selection_->isEmpty());
    view_->setSetVisible(syntheticSet(0), true);
    view_->setSetVisible(SetId::Real, false);
    QVERIFY(view_->screenPosition(fake));
    QVERIFY(!view_->screenPosition({SetId::Real, 0}));
}

void SpaceViewTest::fadesRejectedSamples() {
    Fixture fixture = smallFixture();
    show(fixture);
    const SampleId fake = isolated(syntheticSet(0));
    const QPointF at = *view_->screenPosition(fake);
    const QColor grey = colors::rejected(view_->palette());
    const int before = pixelsLike(grab(), at, 3, grey, 12);
    auto kept = std::make_shared<std::vector<bool>>(300, true);
    (*kept)[fake.row] = false;
    fixture.state.kept = kept;
    view_->showState(test::placed(fixture));
    QCOMPARE(*view_->screenPosition(fake), at);
    QVERIFY(pixelsLike(grab(), at, 3, grey, 12) > before + 5);
    QVERIFY(view_->findChild<space::ColorBar*>()->accessibleName().contains("rejected"));
}

void SpaceViewTest::coloursByAnyColumn() {
    show(smallFixture());
    const auto* columns = view_->findChild<QComboBox*>("spaceColumn");
    QCOMPARE(view_->colorColumn(), QString("fidelity"));
    QStringList ids;
    for (int i = 0; i < columns->count(); ++i)
        ids << columns->itemData(i).toString();
    QCOMPARE(ids, (QStringList{"", "#decision", "#tag", "fidelity", "pce", "authentic"}));

    const SampleId fake = isolated(syntheticSet(0));
    const QPointF at = *view_->screenPosition(fake);
    view_->setColorColumn("authentic");
    const QColor expected =
        fake.row % 4 == 0 ? colors::unauthentic(view_->palette()) : colors::synthetic(view_->palette());
    QVERIFY(pixelsLike(grab(), at, 2, expected, 20) > 4);
    view_->setColorColumn("pce");
    // Row 1 has no value there.
    QVERIFY(view_->findChild<space::ColorBar*>()->accessibleName().contains("no value"));
    QVERIFY(pixelsLike(grab(), at, 2, expected, 20) == 0);
    view_->setColorColumn("");
    QVERIFY(pixelsLike(grab(), at, 2, colors::synthetic(view_->palette()), 20) > 4);
}

void SpaceViewTest::survivesRedocking() {
    show(smallFixture());
    selection_->select(synthetic(7));
    for (int round = 0; round < 3; ++round) {
        dock_->setFloating(true);
        QVERIFY(test::waitForFrame(canvas()));
        dock_->setFloating(false);
        QVERIFY(test::waitForFrame(canvas()));
    }
    window_->removeDockWidget(dock_);
    window_->addDockWidget(Qt::RightDockWidgetArea, dock_);
    dock_->show();
    QVERIFY(test::waitForFrame(canvas()));
    test::settle();
    const SampleId id = isolated(syntheticSet(0));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, spotOf(id));
    QCOMPARE(selection_->focus(), std::optional(id));
    const QColor yellow = colors::selected(view_->palette());
    QVERIFY(pixelsLike(grab(), *view_->screenPosition(id), 10, yellow) > 40);
}

void SpaceViewTest::followsThePalette() {
    show(smallFixture());
    const QPointF corner = canvas()->mapTo(view_, QPoint(canvas()->width() - 3, 3));
    QPalette dark;
    for (const auto role : {QPalette::Window, QPalette::Base, QPalette::Button})
        dark.setColor(role, QColor(30, 32, 36));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        dark.setColor(role, QColor(230, 230, 230));
    view_->setPalette(dark);
    test::settle();
    QVERIFY(pixelsLike(grab(), corner, 1, QColor(30, 32, 36), 4) >= 9);
}

void SpaceViewTest::picksAndDrawsManyPoints() {
    // The tables stay empty: picking and drawing need none.
    const Points real = cloud(100000, {-1, 0, 0}, 1.5F, 1);
    const Points fake = cloud(100000, {2, 1, 0}, 1.5F, 2);
    Fixture fixture = makeFixture(cloud(20, {0, 0, 0}, 1, 1), cloud(20, {0, 0, 0}, 1, 2));
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    auto analysis = std::make_shared<RealAnalysis>(*audit->real);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    analysis->set = setOf(real, "real");
    model->set = setOf(fake, "gan");
    for (auto& column : model->columns)
        column.values = std::vector<double>(100000, 0.5);
    audit->real = analysis;
    audit->models = {model};
    fixture.state.audit = audit;
    fixture.points = std::make_shared<const SpacePoints>(SpacePoints{real, fake, {0.5, 0.3, 0.1}});
    // What takes a while says so first, once.
    view_->showState(test::placed(fixture));
    QCOMPARE(view_->message(), QStringLiteral("Drawing %1 points\u2026").arg(formatCount(200'000)));
    show(fixture);
    fixture.points = std::make_shared<const SpacePoints>(SpacePoints{fake, real, {0.5, 0.3, 0.1}});
    view_->showState(test::placed(fixture));
    QCOMPARE(view_->message(), QString());
    const QPointF centre = canvas()->geometry().center();
    QVERIFY(pixelsLike(grab(), centre, 8, view_->palette().color(QPalette::Base), 12) < 50);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->rect().center());
    QVERIFY(selection_->focus());
    QVERIFY(QLineF(*view_->screenPosition(*selection_->focus()), centre).length() < 8.5);
}

void SpaceViewTest::saysSoWithoutOpenGl() {
    if (view_->hasOpenGl()) {
        // This very test again, on a platform that makes OpenGL contexts but no OpenGL windows.
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {"space_view_test", "saysSoWithoutOpenGl"});
        QVERIFY(process.waitForFinished(30000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
        QVERIFY2(said.contains("PASS   : SpaceViewTest::saysSoWithoutOpenGl"), said.constData());
        return;
    }
    const Fixture fixture = smallFixture();
    view_->showState(test::placed(fixture));
    selection_->select(synthetic(1));
    selection_->hover(synthetic(2));
    view_->resetView();
    view_->setColorColumn("pce");
    QVERIFY2(view_->message().contains("OpenGL"), qPrintable(view_->message()));
    QVERIFY(!view_->screenPosition(synthetic(1)));
    QVERIFY(!grab().isNull());
}

ASSAY_TEST(space_view_test, SpaceViewTest)
#include "space_view_test.moc"
