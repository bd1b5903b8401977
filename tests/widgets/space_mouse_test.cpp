// What mouse and keys do in the 3D view.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/space_window.h"
#include "widgets/grid/sample_card.h"

#include <QtTest>
#include <QtWidgets>

#include <cmath>

using namespace assay;
using test::smallFixture;

class SpaceMouseTest : public QObject, test::SpaceWindow {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init();
    void cleanup() { close(); }
    void clickSelectsThePointUnderTheCursor_data();
    void clickSelectsThePointUnderTheCursor();
    void ctrlClickAddsAndRemoves();
    void clickOnNothingAndEscapeClear();
    void dragTurnsWithoutTouchingTheSelection();
    void wheelAndShiftDragMoveTheViewAndResetRestoresIt();
    void wheelKeepsWhatIsUnderTheCursorAndFCentresTheFocus();
    void ctrlDragSelectsARectangle();
    void hoverPreviews();
};

void SpaceMouseTest::init() {
    open();
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
}

void SpaceMouseTest::clickSelectsThePointUnderTheCursor_data() {
    QTest::addColumn<bool>("real");
    QTest::addColumn<QPoint>("offset");
    QTest::newRow("real") << true << QPoint(0, 0);
    QTest::newRow("synthetic") << false << QPoint(0, 0);
    QTest::newRow("a little beside") << false << QPoint(4, -3);
}

void SpaceMouseTest::clickSelectsThePointUnderTheCursor() {
    QFETCH(bool, real);
    QFETCH(QPoint, offset);
    show(smallFixture());
    const SampleId id = isolated(real ? SetId::Real : syntheticSet(0));
    QSignalSpy changed(selection_.get(), &SampleSelection::changed);
    const QPoint at = canvas()->mapFrom(view_, view_->screenPosition(id)->toPoint() + offset);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(selection_->samples(), std::vector<SampleId>{id});
    QCOMPARE(selection_->focus(), std::optional(id));
    QCOMPARE(changed.count(), 1);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(changed.count(), 1);
}

void SpaceMouseTest::ctrlClickAddsAndRemoves() {
    show(smallFixture());
    const SampleId real = isolated(SetId::Real);
    const SampleId fake = isolated(syntheticSet(0));
    const auto click = [&](SampleId id, Qt::KeyboardModifiers modifiers) {
        QTest::mouseClick(canvas(), Qt::LeftButton, modifiers, spotOf(id));
    };
    click(real, {});
    click(fake, Qt::ControlModifier);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real, fake}));
    QCOMPARE(selection_->focus(), std::optional(fake));
    click(real, Qt::ControlModifier);
    QCOMPARE(selection_->samples(), std::vector<SampleId>{fake});
}

void SpaceMouseTest::clickOnNothingAndEscapeClear() {
    show(smallFixture());
    selection_->select(synthetic(3));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->mapFrom(view_, emptySpot().toPoint()));
    QVERIFY(selection_->isEmpty());
    selection_->select(synthetic(3));
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
}

void SpaceMouseTest::dragTurnsWithoutTouchingTheSelection() {
    show(smallFixture());
    const SampleId outer = isolated(syntheticSet(0));
    selection_->select(outer);
    const QPointF before = *view_->screenPosition(outer);
    const QPoint from = canvas()->mapFrom(view_, emptySpot().toPoint());
    drag(from, from + QPoint(72, 36), {});
    QCOMPARE(selection_->samples(), std::vector<SampleId>{outer});
    QVERIFY(QLineF(before, *view_->screenPosition(outer)).length() > 5);
}

void SpaceMouseTest::wheelAndShiftDragMoveTheViewAndResetRestoresIt() {
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

void SpaceMouseTest::wheelKeepsWhatIsUnderTheCursorAndFCentresTheFocus() {
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

void SpaceMouseTest::ctrlDragSelectsARectangle() {
    show(smallFixture());
    const SampleId id = isolated(syntheticSet(0));
    const QPointF at = spotOf(id);
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

void SpaceMouseTest::hoverPreviews() {
    show(smallFixture());
    const SampleId id = isolated(syntheticSet(0));
    QTest::mouseMove(canvas(), canvas()->mapFrom(view_, emptySpot().toPoint()));
    QTest::mouseMove(canvas(), spotOf(id));
    QTRY_COMPARE(selection_->hovered(), std::optional(id));
    QVERIFY(selection_->isEmpty());
    QTRY_VERIFY(SampleCard::textShownBy(view_).contains(QString::number(id.row)));
    QVERIFY(SampleCard::textShownBy(view_).contains("Fidelity"));
    QTest::mouseMove(canvas(), canvas()->mapFrom(view_, emptySpot().toPoint()));
    QTRY_VERIFY(!selection_->hovered());
    QVERIFY(!SampleCard::shownBy(view_));
}

ASSAY_TEST(space_mouse_test, SpaceMouseTest)
#include "space_mouse_test.moc"
