#include "engine/job/error.h"
#include "engine/metrics/catalog.h"
#include "tests/widgets/support/space_fixture.h"
#include "widgets/colors.h"
#include "widgets/sample_selection.h"
#include "widgets/space/color_bar.h"
#include "widgets/space_view.h"

#include <QtTest>
#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace assay;
using test::cloud;
using test::makeFixture;
using test::Points;
using test::setOf;
using test::smallFixture;
using Fixture = test::SpaceFixture;

namespace {

QPoint rounded(QPointF p) {
    return p.toPoint();
}

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

class SpaceViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void saysWhatWouldBeHere();
    void dropsThePointsOfAnotherModel();
    void clickSelectsThePointUnderTheCursor_data();
    void clickSelectsThePointUnderTheCursor();
    void ctrlClickAddsAndRemoves();
    void clickOnNothingAndEscapeClear();
    void dragTurnsWithoutTouchingTheSelection();
    void wheelAndShiftDragMoveTheViewAndResetRestoresIt();
    void wheelKeepsWhatIsUnderTheCursorAndFCentresTheFocus();
    void ctrlDragSelectsARectangle();
    void hoverPreviews();
    void lightsUpASelectionFromOutsideWithoutMoving();
    void explainsTheFocusedSample();
    void togglesHidePoints();
    void fadesRejectedSamples();
    void coloursByAnyColumn();
    void survivesRedocking();
    void followsThePalette();
    void staysUsableWithManyPoints();
    void saysSoWithoutOpenGl();

private:
    void show(const Fixture& fixture);
    SampleId synthetic(std::uint32_t row) const { return {syntheticSet(0), row}; }
    /// The front-most, most isolated sample of a set, so that nothing else can be meant by its position.
    SampleId isolated(SetId set) const;
    QWidget* canvas() const { return view_->focusProxy(); }
    QImage grab() const { return view_->grab().toImage(); }
    QPointF emptySpot() const;
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers);

    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<QMainWindow> window_;
    QDockWidget* dock_ = nullptr;
    SpaceView* view_ = nullptr;
    Fixture fixture_;
};

void SpaceViewTest::initTestCase() {
    QApplication::setStyle(QStringLiteral("Fusion"));
}

void SpaceViewTest::init() {
    fixture_ = {};
    selection_ = std::make_unique<SampleSelection>();
    window_ = std::make_unique<QMainWindow>();
    window_->resize(760, 620);
    dock_ = new QDockWidget(QStringLiteral("Space"), window_.get());
    view_ = new SpaceView(selection_.get(), dock_);
    dock_->setWidget(view_);
    window_->addDockWidget(Qt::LeftDockWidgetArea, dock_);
    window_->resizeDocks({dock_}, {740}, Qt::Horizontal);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    const QString test = QString::fromLatin1(QTest::currentTestFunction());
    if (!view_->hasOpenGl() && test != QLatin1String("saysSoWithoutOpenGl"))
        QSKIP("no OpenGL on this display");
}

void SpaceViewTest::cleanup() {
    window_.reset();
    selection_.reset();
}

void SpaceViewTest::show(const Fixture& fixture) {
    fixture_ = fixture;
    view_->showState(fixture.state);
    view_->showPoints(fixture.points);
    QTest::qWait(60);
    QCOMPARE(view_->message(), QString());
}

SampleId SpaceViewTest::isolated(SetId set) const {
    std::vector<std::pair<SampleId, QPointF>> all;
    for (std::uint32_t row = 0; row < fixture_.points->real.size(); ++row)
        if (const auto at = view_->screenPosition({SetId::Real, row}))
            all.emplace_back(SampleId{SetId::Real, row}, *at);
    for (std::uint32_t row = 0; row < fixture_.points->synthetic.size(); ++row)
        if (const auto at = view_->screenPosition(synthetic(row)))
            all.emplace_back(synthetic(row), *at);
    SampleId best;
    double bestGap = -1.0;
    for (const auto& [id, at] : all) {
        if (id.set != set || !canvas()->geometry().adjusted(20, 20, -20, -20).contains(rounded(at)))
            continue;
        double gap = 1e9;
        for (const auto& [other, otherAt] : all)
            if (other != id)
                gap = std::min(gap, QLineF(at, otherAt).length());
        if (gap > bestGap) {
            bestGap = gap;
            best = id;
        }
    }
    return best;
}

QPointF SpaceViewTest::emptySpot() const {
    for (int y = 12; y < canvas()->height(); y += 8)
        for (int x = 12; x < canvas()->width(); x += 8) {
            const QPointF at = canvas()->mapTo(view_, QPoint(x, y));
            bool free = true;
            for (std::uint32_t row = 0; free && row < 300; ++row)
                for (const SampleId id : {SampleId{SetId::Real, row}, synthetic(row)})
                    if (const auto point = view_->screenPosition(id))
                        free = free && QLineF(at, *point).length() > 20;
            if (free)
                return at;
        }
    return {};
}

void SpaceViewTest::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(canvas(), Qt::LeftButton, modifiers, from);
    for (int step = 1; step <= 6; ++step) {
        // QTest::mouseMove moves the real pointer, which holds neither button nor modifier.
        const QPointF at = from + QPointF(to - from) * step / 6;
        QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(canvas(), &move);
    }
    QTest::mouseRelease(canvas(), Qt::LeftButton, modifiers, to);
}

void SpaceViewTest::saysWhatWouldBeHere() {
    QVERIFY(view_->message().contains("Load a real and a synthetic set"));
    const Fixture fixture = smallFixture();
    ViewState realOnly = fixture.state;
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    audit->models.clear();
    realOnly.audit = audit;
    view_->showState(realOnly);
    QVERIFY(view_->message().contains("Load a synthetic set"));
    view_->showState(fixture.state);
    QVERIFY(view_->message().contains("Projecting"));
    QVERIFY(!view_->screenPosition(synthetic(0)));
    show(fixture);
    QVERIFY(view_->screenPosition(synthetic(0)));
    view_->showState({});
    QVERIFY(view_->message().contains("Load a real and a synthetic set"));
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
    ViewState next = fixture.state;
    next.audit = std::make_shared<AuditResult>(*audit);
    view_->showState(next);
    QCOMPARE(view_->message(), QString());
    next.model = 1;
    view_->showState(next);
    QVERIFY(view_->message().contains("Projecting"));
}

void SpaceViewTest::clickSelectsThePointUnderTheCursor_data() {
    QTest::addColumn<bool>("real");
    QTest::addColumn<QPoint>("offset");
    QTest::newRow("real") << true << QPoint(0, 0);
    QTest::newRow("synthetic") << false << QPoint(0, 0);
    QTest::newRow("a little beside") << false << QPoint(4, -3);
}

void SpaceViewTest::clickSelectsThePointUnderTheCursor() {
    QFETCH(bool, real);
    QFETCH(QPoint, offset);
    show(smallFixture());
    const SampleId id = isolated(real ? SetId::Real : syntheticSet(0));
    QSignalSpy changed(selection_.get(), &SampleSelection::changed);
    const QPoint at = canvas()->mapFrom(view_, rounded(*view_->screenPosition(id)) + offset);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(selection_->samples(), std::vector<SampleId>{id});
    QCOMPARE(selection_->focus(), std::optional(id));
    QCOMPARE(changed.count(), 1);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(changed.count(), 1);
}

void SpaceViewTest::ctrlClickAddsAndRemoves() {
    show(smallFixture());
    const SampleId real = isolated(SetId::Real);
    const SampleId fake = isolated(syntheticSet(0));
    const auto click = [&](SampleId id, Qt::KeyboardModifiers modifiers) {
        QTest::mouseClick(canvas(), Qt::LeftButton, modifiers,
                          canvas()->mapFrom(view_, rounded(*view_->screenPosition(id))));
    };
    click(real, {});
    click(fake, Qt::ControlModifier);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real, fake}));
    QCOMPARE(selection_->focus(), std::optional(fake));
    click(real, Qt::ControlModifier);
    QCOMPARE(selection_->samples(), std::vector<SampleId>{fake});
}

void SpaceViewTest::clickOnNothingAndEscapeClear() {
    show(smallFixture());
    selection_->select(synthetic(3));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->mapFrom(view_, rounded(emptySpot())));
    QVERIFY(selection_->isEmpty());
    selection_->select(synthetic(3));
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
}

void SpaceViewTest::dragTurnsWithoutTouchingTheSelection() {
    show(smallFixture());
    const SampleId outer = isolated(syntheticSet(0));
    selection_->select(outer);
    const QPointF before = *view_->screenPosition(outer);
    const QPoint from = canvas()->mapFrom(view_, rounded(emptySpot()));
    drag(from, from + QPoint(72, 36), {});
    QCOMPARE(selection_->samples(), std::vector<SampleId>{outer});
    QVERIFY(QLineF(before, *view_->screenPosition(outer)).length() > 5);
}

void SpaceViewTest::wheelAndShiftDragMoveTheViewAndResetRestoresIt() {
    show(smallFixture());
    const SampleId a = isolated(SetId::Real);
    const SampleId b = isolated(syntheticSet(0));
    const auto gap = [&] { return QLineF(*view_->screenPosition(a), *view_->screenPosition(b)); };
    const QLineF before = gap();
    const QPoint centre = canvas()->rect().center();
    QWheelEvent wheel(centre, canvas()->mapToGlobal(centre), {}, {0, -240}, {}, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas(), &wheel);
    QVERIFY(gap().length() < 0.9 * before.length());

    const QLineF zoomed = gap();
    drag(centre, centre + QPoint(40, 0), Qt::ShiftModifier);
    QVERIFY(std::abs(gap().length() - zoomed.length()) < 0.15 * zoomed.length());
    QVERIFY(gap().p1().x() > zoomed.p1().x() + 20);

    QTest::keyClick(canvas(), Qt::Key_R);
    QVERIFY(QLineF(gap().p1(), before.p1()).length() < 0.5);
    QVERIFY(QLineF(gap().p2(), before.p2()).length() < 0.5);
}

void SpaceViewTest::wheelKeepsWhatIsUnderTheCursorAndFCentresTheFocus() {
    show(smallFixture());
    const SampleId id = isolated(SetId::Real);
    selection_->select(id);
    const QPointF middle = canvas()->geometry().center();
    QVERIFY(QLineF(*view_->screenPosition(id), middle).length() > 30);
    QTest::keyClick(canvas(), Qt::Key_F);
    QVERIFY(QLineF(*view_->screenPosition(id), middle).length() < 2);
    QTest::keyClick(canvas(), Qt::Key_R);

    // Only at the focal point's depth does a point stay exactly; a point anywhere stays roughly.
    const QPointF before = *view_->screenPosition(id);
    const QPointF at = canvas()->mapFrom(view_, before);
    QWheelEvent wheel(at, canvas()->mapToGlobal(at), {}, {0, 120}, {}, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas(), &wheel);
    QVERIFY(QLineF(*view_->screenPosition(id), before).length() < 25);
}

void SpaceViewTest::ctrlDragSelectsARectangle() {
    show(smallFixture());
    const SampleId id = isolated(syntheticSet(0));
    const QPointF at = canvas()->mapFrom(view_, rounded(*view_->screenPosition(id)));
    const QRectF rectangle(at - QPointF(14, 14), QSizeF(28, 28));
    drag(rectangle.topLeft().toPoint(), rectangle.bottomRight().toPoint(), Qt::ControlModifier);
    QVERIFY(selection_->contains(id));
    for (std::uint32_t row = 0; row < 300; ++row)
        if (const auto point = view_->screenPosition(synthetic(row))) {
            const QPointF inCanvas = *point - canvas()->mapTo(view_, QPoint(0, 0));
            if (!rectangle.adjusted(-1, -1, 1, 1).contains(inCanvas))
                QVERIFY(!selection_->contains(synthetic(row)));
        }
}

void SpaceViewTest::hoverPreviews() {
    show(smallFixture());
    const SampleId id = isolated(syntheticSet(0));
    QTest::mouseMove(canvas(), canvas()->mapFrom(view_, rounded(emptySpot())));
    QTest::mouseMove(canvas(), canvas()->mapFrom(view_, rounded(*view_->screenPosition(id))));
    QTRY_COMPARE(selection_->hovered(), std::optional(id));
    QVERIFY(selection_->isEmpty());
    QTRY_VERIFY(QToolTip::text().contains(QString::number(id.row)));
    QVERIFY(QToolTip::text().contains("Fidelity"));
    QTest::mouseMove(canvas(), canvas()->mapFrom(view_, rounded(emptySpot())));
    QTRY_VERIFY(!selection_->hovered());
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
    QVERIFY(caption->text().contains("nearest 5 real, 5 synthetic"));
    QVERIFY(caption->text().contains("projection of the ball of real"));
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
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->mapFrom(view_, rounded(at)));
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
    view_->showState(fixture.state);
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
    QCOMPARE(ids, (QStringList{"fidelity", "pce", "authentic", ""}));

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
        QTest::qWait(80);
        dock_->setFloating(false);
        QTest::qWait(80);
    }
    window_->removeDockWidget(dock_);
    window_->addDockWidget(Qt::RightDockWidgetArea, dock_);
    dock_->show();
    QTest::qWait(80);
    const SampleId id = isolated(syntheticSet(0));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->mapFrom(view_, rounded(*view_->screenPosition(id))));
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
    QTest::qWait(40);
    QVERIFY(pixelsLike(grab(), corner, 1, QColor(30, 32, 36), 4) >= 9);
}

void SpaceViewTest::staysUsableWithManyPoints() {
    // The tables stay empty: what is measured is picking and drawing.
    const Points real = cloud(100000, {-1, 0, 0}, 1.5F, 1);
    const Points fake = cloud(100000, {2, 1, 0}, 1.5F, 2);
    Fixture fixture = makeFixture(cloud(20, {0, 0, 0}, 1, 1), cloud(20, {0, 0, 0}, 1, 2));
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    auto analysis = std::make_shared<RealAnalysis>(*audit->real);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    analysis->set = setOf(real, "real");
    model->set = setOf(fake, "gan");
    for (auto& column : model->columns)
        column.values.resize(100000, 0.5);
    audit->real = analysis;
    audit->models = {model};
    fixture.state.audit = audit;
    fixture.points = std::make_shared<const SpacePoints>(SpacePoints{real, fake, {0.5, 0.3, 0.1}});
    show(fixture);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 10; ++i)
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->rect().center() + QPoint(i, i));
    const double pickMs = static_cast<double>(timer.nsecsElapsed()) / 1e7;
    QVERIFY(!selection_->isEmpty());
    timer.restart();
    for (int i = 0; i < 5; ++i)
        grab();
    qInfo("200,000 points: %.1f ms a click, %.1f ms a picture", pickMs,
          static_cast<double>(timer.nsecsElapsed()) / 5e6);
    QVERIFY2(pickMs < 250, qPrintable(QString::number(pickMs)));
}

void SpaceViewTest::saysSoWithoutOpenGl() {
    if (view_->hasOpenGl()) {
        // This very test again, on a platform that makes OpenGL contexts but no OpenGL windows.
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {"saysSoWithoutOpenGl"});
        QVERIFY(process.waitForFinished(30000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
        QVERIFY2(said.contains("PASS   : SpaceViewTest::saysSoWithoutOpenGl"), said.constData());
        return;
    }
    const Fixture fixture = smallFixture();
    view_->showState(fixture.state);
    view_->showPoints(fixture.points);
    selection_->select(synthetic(1));
    selection_->hover(synthetic(2));
    view_->resetView();
    view_->setColorColumn("pce");
    QVERIFY2(view_->message().contains("OpenGL"), qPrintable(view_->message()));
    QVERIFY(!view_->screenPosition(synthetic(1)));
    QVERIFY(!grab().isNull());
}

QTEST_MAIN(SpaceViewTest)
#include "space_view_test.moc"
