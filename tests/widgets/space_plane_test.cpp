// The view of samples on the plane, its tools, and its legend.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/space_window.h"
#include "widgets/space/view/color_bar.h"

#include <QtTest>
#include <QtWidgets>

#include <limits>

using namespace assay;
using test::smallFixture;
using test::SpaceFixture;

namespace {

SpaceFixture flatFixture() {
    SpaceFixture fixture = smallFixture();
    SpacePoints points = *fixture.points;
    points.layout.dimensions = 2;
    for (auto* set : {&points.real, &points.synthetic})
        for (auto& point : *set)
            point[2] = 0.0F;
    fixture.points = std::make_shared<const SpacePoints>(std::move(points));
    fixture.state.computed.layout = fixture.points->layout;
    return fixture;
}

} // namespace

class SpacePlaneTest : public QObject, test::SpaceWindow {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init();
    void cleanup() { close(); }
    void asksForThePlaneByMouse();
    void asksForColumnsByMouse();
    void dragSlidesAndNeverTurns();
    void wheelKeepsWhatIsUnderTheCursor();
    void staysFittedWhenResizedUntilItIsMoved();
    void rectangleFollowsTheModifiers_data();
    void rectangleFollowsTheModifiers();
    void lassoSelectsWhatItSurrounds_data();
    void lassoSelectsWhatItSurrounds();
    void escapeGivesUpALassoThenClears();
    void keysChangeTheTool();
    void legendCountsTheSelection();
    void legendSelectsByMouseAndKeys();
    void legendFilters();
    void coloursByClassOnBothSides();
    void leavesOutSamplesWithoutAPlace();

private:
    template <typename Widget = QWidget>
    Widget* child(const char* name) const {
        return view_->findChild<Widget*>(QString::fromUtf8(name));
    }
    void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    space::ColorBar* legend() const { return view_->findChild<space::ColorBar*>(); }
    std::size_t entryOf(const QString& text) const {
        const auto& entries = legend()->legend().entries;
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (entries[i].text == text)
                return i;
        qFatal("no entry %s", qPrintable(text));
    }
    void clickEntry(const QString& text, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(legend(), Qt::LeftButton, modifiers, legend()->entryRect(entryOf(text)).center());
    }
    /// Goes along the corners with the button held.
    void draw(const QPolygonF& corners, Qt::KeyboardModifiers modifiers = {}) {
        press(corners.front(), modifiers);
        for (const QPointF& corner : corners)
            move(corner, modifiers);
        QTest::mouseRelease(canvas(), Qt::LeftButton, modifiers, corners.back().toPoint());
    }
    void press(QPointF at, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(canvas(), Qt::LeftButton, modifiers, at.toPoint());
    }
    void move(QPointF at, Qt::KeyboardModifiers modifiers = {}) {
        QMouseEvent event(QEvent::MouseMove, at, canvas()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(canvas(), &event);
    }
    /// All samples whose centres are drawn in an outline of the canvas.
    SampleSet within(const QPolygonF& outline) const {
        SampleSet samples;
        for (std::uint32_t row = 0; row < 300; ++row)
            for (const SampleId id : {SampleId{SetId::Real, row}, synthetic(row)})
                if (const auto at = view_->screenPosition(id);
                    at && outline.containsPoint(*at - canvas()->mapTo(view_, QPoint(0, 0)), Qt::OddEvenFill))
                    samples.insert(id);
        return samples;
    }
};

void SpacePlaneTest::init() {
    open();
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
}

void SpacePlaneTest::asksForThePlaneByMouse() {
    show(smallFixture());
    auto& chosen = host_->layouts;
    chosen.clear(); // the default
    click(child("spaceFlat"));
    QCOMPARE(chosen.size(), std::size_t{1});
    QCOMPARE(chosen.back(), (SpaceLayout{Arrangement::Components, 2}));
    click(child("spaceDeep"));
    QCOMPARE(chosen.back(), (SpaceLayout{Arrangement::Components, 3}));
    show(flatFixture());
    QVERIFY(child<QAbstractButton>("spaceFlat")->isChecked());
    QCOMPARE(chosen.size(), std::size_t{2}); // what it is told it does not ask for
}

void SpacePlaneTest::asksForColumnsByMouse() {
    show(flatFixture());
    QVERIFY(!child("spaceAxisx")->isVisible());
    const auto& chosen = host_->layouts;
    auto* arrangement = child<QComboBox>("spaceArrangement");
    arrangement->setCurrentIndex(arrangement->findData(static_cast<int>(Arrangement::Columns)));
    QVERIFY(child("spaceAxisx")->isVisible() && child("spaceAxisy")->isVisible());
    QVERIFY(!child("spaceAxisz")->isVisible());
    SpaceLayout layout = chosen.back();
    QCOMPARE(layout.axes[0].column, std::string("fidelity"));
    QCOMPARE(layout.axes[1].column, std::string("pce"));
    auto* x = child<QComboBox>("spaceAxisx");
    x->setFocus();
    x->setCurrentIndex(x->findData(QStringLiteral("#1")));
    layout = chosen.back();
    QCOMPARE(layout.axes[0], (SpaceAxis{{}, 1}));
    click(child("spaceDeep"));
    QVERIFY(child("spaceAxisz")->isVisible());
    QCOMPARE(chosen.back().dimensions, std::size_t{3});
}

void SpacePlaneTest::dragSlidesAndNeverTurns() {
    show(flatFixture());
    // Two that stay in sight.
    const auto inTheMiddle = [this](auto idOf) {
        const QRect middle = canvas()->geometry().adjusted(120, 90, -120, -90);
        for (std::uint32_t row = 0; row < 300; ++row)
            if (const auto at = view_->screenPosition(idOf(row)); at && middle.contains(at->toPoint()))
                return idOf(row);
        return idOf(0);
    };
    const SampleId a = inTheMiddle([](std::uint32_t row) { return SampleId{SetId::Real, row}; });
    const SampleId b = inTheMiddle([](std::uint32_t row) { return synthetic(row); });
    const QLineF before(*view_->screenPosition(a), *view_->screenPosition(b));
    const QPoint from = canvas()->mapFrom(view_, emptySpot().toPoint());
    drag(from, from + QPoint(60, 36), {});
    const QLineF after(*view_->screenPosition(a), *view_->screenPosition(b));
    const QPointF shift = after.p1() - before.p1();
    QVERIFY(shift.x() > 30);
    QVERIFY(QLineF(after.p2() - before.p2(), shift).length() < 0.01);
    QVERIFY(selection_->isEmpty());
}

void SpacePlaneTest::wheelKeepsWhatIsUnderTheCursor() {
    show(flatFixture());
    const SampleId id = isolated(syntheticSet(0));
    const QPointF before = *view_->screenPosition(id);
    const QPointF at = canvas()->mapFrom(view_, before);
    QWheelEvent wheel(at, canvas()->mapToGlobal(at), {}, {0, 600}, {}, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas(), &wheel);
    QVERIFY(QLineF(*view_->screenPosition(id), before).length() < 0.1);
    QTest::keyClick(canvas(), Qt::Key_R);
    QVERIFY(QLineF(*view_->screenPosition(id), before).length() < 0.1);
}

void SpacePlaneTest::staysFittedWhenResizedUntilItIsMoved() {
    show(flatFixture());
    const auto seen = [&] { return within(QPolygonF(QRectF(canvas()->rect()))).size(); };
    const std::size_t all = seen();
    QVERIFY(all > 590);
    window_->resize(460, 420);
    test::settle();
    QVERIFY(seen() >= all - 2);
}

void SpacePlaneTest::rectangleFollowsTheModifiers_data() {
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("replaces") << Qt::KeyboardModifiers();
    QTest::newRow("Shift adds") << Qt::KeyboardModifiers(Qt::ShiftModifier);
    QTest::newRow("Ctrl toggles") << Qt::KeyboardModifiers(Qt::ControlModifier);
    QTest::newRow("Ctrl+Shift subtracts") << Qt::KeyboardModifiers(Qt::ControlModifier | Qt::ShiftModifier);
}

void SpacePlaneTest::rectangleFollowsTheModifiers() {
    QFETCH(Qt::KeyboardModifiers, modifiers);
    for (const SpaceFixture& fixture : {flatFixture(), smallFixture()}) {
        show(fixture);
        click(child("spaceRectangle"));
        const QRectF left(40, 40, canvas()->width() / 2.0 - 40, canvas()->height() - 80.0);
        const QRectF middle(canvas()->width() / 3.0, 40, canvas()->width() / 3.0, canvas()->height() - 80.0);
        drag(left.topLeft().toPoint(), left.bottomRight().toPoint(), {});
        const SampleSet first = within(QPolygonF(QRectF(left.topLeft().toPoint(), left.bottomRight().toPoint())));
        QVERIFY(first.size() > 20);
        QCOMPARE(selection_->samples(), first);
        drag(middle.topLeft().toPoint(), middle.bottomRight().toPoint(), modifiers);
        const SampleSet second = within(QPolygonF(QRectF(middle.topLeft().toPoint(), middle.bottomRight().toPoint())));
        QCOMPARE(selection_->samples(), selectionAfter(first, selectionChange(modifiers), second));
    }
}

void SpacePlaneTest::lassoSelectsWhatItSurrounds_data() {
    rectangleFollowsTheModifiers_data();
}

void SpacePlaneTest::lassoSelectsWhatItSurrounds() {
    QFETCH(Qt::KeyboardModifiers, modifiers);
    for (const SpaceFixture& fixture : {flatFixture(), smallFixture()}) {
        show(fixture);
        selection_->clear();
        click(child("spaceLasso"));
        const double w = canvas()->width();
        const double h = canvas()->height();
        const QPolygonF first{{0.2 * w, 0.1 * h}, {0.7 * w, 0.3 * h}, {0.3 * w, 0.5 * h}, {0.6 * w, 0.9 * h}};
        draw(first);
        // The button goes down at a whole pixel.
        QPolygonF drawn = first;
        drawn.prepend(first.front().toPoint());
        const SampleSet before = within(drawn);
        QVERIFY(before.size() > 20);
        QCOMPARE(selection_->samples(), before);
        const QPolygonF second{{0.4 * w, 0.2 * h}, {0.9 * w, 0.4 * h}, {0.5 * w, 0.8 * h}};
        draw(second, modifiers);
        drawn = second;
        drawn.prepend(second.front().toPoint());
        QCOMPARE(selection_->samples(), selectionAfter(before, selectionChange(modifiers), within(drawn)));
    }
}

void SpacePlaneTest::escapeGivesUpALassoThenClears() {
    show(flatFixture());
    selection_->select(synthetic(3));
    QTest::keyClick(canvas(), Qt::Key_L);
    press({60, 60});
    for (const QPointF at : {QPointF(300, 60), QPointF(300, 300)})
        move(at);
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, QPoint(300, 300));
    QCOMPARE(selection_->samples(), SampleSet{synthetic(3)});
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
}

void SpacePlaneTest::keysChangeTheTool() {
    show(flatFixture());
    const auto pressed = [this](const char* name) { return child<QAbstractButton>(name)->isChecked(); };
    QTest::keyClick(canvas(), Qt::Key_B);
    QVERIFY(pressed("spaceRectangle") && !pressed("spaceMove"));
    QTest::keyClick(canvas(), Qt::Key_L);
    QVERIFY(pressed("spaceLasso"));
    QTest::keyClick(canvas(), Qt::Key_M);
    QVERIFY(pressed("spaceMove"));
}

void SpacePlaneTest::legendCountsTheSelection() {
    show(flatFixture());
    view_->setColorColumn("authentic");
    const auto& entries = [&]() -> const auto& {
        return legend()->legend().entries;
    };
    QCOMPARE(entries()[entryOf("yes")].count, std::size_t{225});
    QCOMPARE(entries()[entryOf("no")].count, std::size_t{75});
    QCOMPARE(entries()[entryOf("real")].count, std::size_t{300});
    QVERIFY(!entries()[entryOf("yes")].selected);
    selection_->replace({synthetic(0), synthetic(1), synthetic(2), {SetId::Real, 5}});
    QCOMPARE(entries()[entryOf("yes")].selected, std::optional<std::size_t>(2));
    QCOMPARE(entries()[entryOf("no")].selected, std::optional<std::size_t>(1));
    QCOMPARE(entries()[entryOf("real")].selected, std::optional<std::size_t>(1));
    QVERIFY(legend()->accessibleName().contains("yes: 2 of 225"));
    view_->setSetVisible(SetId::Real, false);
    QCOMPARE(entries()[entryOf("real")].count, std::size_t{0});
}

void SpacePlaneTest::legendSelectsByMouseAndKeys() {
    show(flatFixture());
    view_->setColorColumn("authentic");
    test::settle();
    clickEntry("no");
    QCOMPARE(selection_->samples().size(), std::size_t{75});
    QVERIFY(selection_->contains(synthetic(4)) && !selection_->contains(synthetic(5)));
    clickEntry("yes", Qt::ShiftModifier);
    QCOMPARE(selection_->samples().size(), std::size_t{300});
    clickEntry("no", Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(selection_->samples().size(), std::size_t{225});
    selection_->clear();
    legend()->setFocus(Qt::TabFocusReason);
    while (!legend()->legend().entries.empty() && selection_->samples().size() != 300) {
        QTest::keyClick(legend(), Qt::Key_Space);
        if (selection_->samples() == SampleSet::all(SetId::Real, 300))
            break;
        QTest::keyClick(legend(), Qt::Key_Right);
    }
    QCOMPARE(selection_->samples(), SampleSet::all(SetId::Real, 300));
}

void SpacePlaneTest::legendFilters() {
    show(flatFixture());
    view_->setColorColumn("authentic");
    test::settle();
    QTest::mouseDClick(legend(), Qt::LeftButton, {}, legend()->entryRect(entryOf("no")).center());
    QCOMPARE(host_->filters.size(), std::size_t{1});
    const ViewFilter filter = host_->filters.front();
    QVERIFY(filter.among);
    QCOMPARE(filter.among->size(), std::size_t{75});
}

void SpacePlaneTest::coloursByClassOnBothSides() {
    const test::Points real = test::cloud(60, {0, 0, 0}, 1, 1);
    const test::Points fake = test::cloud(40, {1, 0, 0}, 1, 2);
    SpaceFixture fixture = test::makeFixture(real, fake);
    const auto labelled = [](const test::Points& points, std::size_t classes) {
        EmbeddingParts parts;
        parts.rows = points.size();
        parts.dim = 3;
        std::vector<float> values;
        for (const auto& p : points)
            values.insert(values.end(), p.begin(), p.end());
        parts.values = std::move(values);
        for (std::size_t name = 0; name < classes; ++name)
            parts.labels.names.push_back(std::to_string(name));
        for (std::size_t row = 0; row < points.size(); ++row)
            parts.labels.code.push_back(static_cast<std::uint32_t>(row % classes));
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    auto analysis = std::make_shared<RealAnalysis>(*audit->real);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    analysis->set = labelled(real, 12);
    model->set = labelled(fake, 3);
    audit->real = analysis;
    audit->models = {model};
    fixture.state.audit = audit;
    show(fixture);
    view_->setColorColumn("#class");
    test::settle();
    QCOMPARE(legend()->legend().entries[entryOf("2")].count, std::size_t{5 + 13});
    QCOMPARE(legend()->legend().entries[entryOf("other classes")].count, std::size_t{10});
    clickEntry("2");
    QCOMPARE(selection_->samples().size(), std::size_t{18});
    QVERIFY(selection_->contains(SampleId{SetId::Real, 2}) && selection_->contains(synthetic(5)));
}

void SpacePlaneTest::leavesOutSamplesWithoutAPlace() {
    SpaceFixture fixture = flatFixture();
    SpacePoints points = *fixture.points;
    points.layout = {Arrangement::Columns, 2, {SpaceAxis{"fidelity", 0}, SpaceAxis{"pce", 0}}};
    for (auto& point : points.real)
        point[1] = std::numeric_limits<float>::quiet_NaN();
    fixture.points = std::make_shared<const SpacePoints>(std::move(points));
    fixture.state.computed.layout = fixture.points->layout;
    show(fixture);
    QVERIFY(!view_->screenPosition({SetId::Real, 0}));
    QVERIFY(view_->screenPosition(synthetic(0)));
    const QString caption = child<QLabel>("spaceCaption")->text();
    QVERIFY2(caption.contains("Real samples do not have these scores"), qPrintable(caption));
    QTest::keyClick(canvas(), Qt::Key_B);
    drag({2, 2}, canvas()->rect().bottomRight() - QPoint(2, 2), {});
    QCOMPARE(selection_->samples().countIn(SetId::Real), std::size_t{0});
    QVERIFY(selection_->samples().countIn(syntheticSet(0)) > 290);
    selection_->replace({{SetId::Real, 3}});
    QVERIFY(!grab().isNull());
}

ASSAY_TEST(space_plane_test, SpacePlaneTest)
#include "space_plane_test.moc"
