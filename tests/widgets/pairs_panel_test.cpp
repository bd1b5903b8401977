#include "engine/audit/findings/findings.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/pair_cells.h"
#include "widgets/grid/sample_card.h"
#include "widgets/pairs/pairs_panel.h"

#include <QtWidgets>

using namespace assay;

namespace {

constexpr std::size_t kCopying = 1; // of fakeAudit's models

/// Enough real samples for a threshold.
test::FakeOptions manySamples() {
    test::FakeOptions options;
    options.real = 200;
    options.synthetic = 240;
    return options;
}

/// The audit with a held-out set, a model's: its samples are copies of real ones.
std::shared_ptr<const AuditResult> withHeldOut(const std::shared_ptr<const AuditResult>& audit) {
    auto result = std::make_shared<AuditResult>(*audit);
    auto heldOut = std::make_shared<HeldOutAnalysis>();
    heldOut->audit = audit->models[kCopying];
    result->heldOut = heldOut;
    return result;
}

ViewState pairsOf(std::shared_ptr<const AuditResult> audit, std::size_t model = 0) {
    ViewState state;
    state.audit = std::move(audit);
    state.model = model;
    return state;
}

/// The panel with someone who finds the pairs that it asks for.
struct PairsWindow : test::ShownView<PairsPanel> {
    SampleGrid* gallery = view.findChild<SampleGrid*>("pairGallery");
    QComboBox* kinds = view.findChild<QComboBox*>("pairKinds");
    QPushButton* left = view.findChild<QPushButton*>("pairsSelectLeft");
    QPushButton* right = view.findChild<QPushButton*>("pairsSelectRight");
    QLabel* summary = view.findChild<QLabel*>("pairsSummary");

    explicit PairsWindow(const ViewState& state, QSize size = {640, 420}) : ShownView(ViewState(), size) {
        view.showState(state);
    }

    const ListedPairs& pairs() const { return view.pairs(); }
    void pick(PairKind kind) const { kinds->setCurrentIndex(kinds->findData(static_cast<int>(kind))); }
    static GridPlace placeOf(std::size_t position, PairSide side) {
        return {position, side == PairSide::Left ? 0U : 1U};
    }
    SampleId sample(std::size_t position, PairSide side) const { return pairs().sampleAt({position, side}); }
    QPoint centre(std::size_t position, PairSide side) const {
        return gallery->pictureRect(placeOf(position, side)).center();
    }
    void click(std::size_t position, PairSide side, Qt::KeyboardModifiers keys = {}) const {
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, keys, centre(position, side));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers keys = {}) const { QTest::keyClick(gallery, key, keys); }
    QString toolTip(QPoint point) const {
        QHelpEvent help(QEvent::ToolTip, point, gallery->viewport()->mapToGlobal(point));
        QCoreApplication::sendEvent(gallery->viewport(), &help);
        const QString card = SampleCard::textShownBy(gallery);
        return card.isEmpty() ? QToolTip::text() : card;
    }
    /// Whether the strip of a remarkable pair is painted under its pictures.
    bool isMarked(std::size_t position) const {
        const QRect picture = gallery->pictureRect({position, 0});
        const QRect below(picture.center().x(), picture.bottom() + 3, 1, 1);
        return gallery->viewport()->grab(below).toImage().pixelColor(0, 0) == colors::unauthentic(view.palette());
    }
};

} // namespace

class PairsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatWouldBeHere();
    void listsPairsNearestFirst_data();
    void listsPairsNearestFirst();
    void marksWhatIsRemarkable();
    void clickSelectsOneSide();
    void samplesAreAccessible();
    void modifiersChangeTheSelection();
    void keysGoFromPictureToPicture();
    void doubleClickAndEnterInspect();
    void hoverIsShared();
    void buttonsSelectOneSideOfTheMarkedPairs();
    void heldOutSamplesCannotBeSelected();
    void leaksAreListedOnlyWithAHeldOutSet();
    void followsTheSelection();
    void showsWhatTheFilterLeaves();
    void asksForOtherModelsOnly();
    void ignoresPairsOfAnotherModel();
    void rejectedSamplesAreFaded();
    void toolTipsDefineTheRatio();
    void manyPairsArePaintedOnlyInSight();
    void nothingIsCutOffWhereItIsNarrow();
};

void PairsPanelTest::saysWhatWouldBeHere() {
    const PairsWindow window{ViewState()};
    QVERIFY(!window.kinds->isVisible());
    QCOMPARE(window.host.requests.size(), std::size_t{0});

    const PairsWindow without(pairsOf(test::hugeAudit(50))); // has no tables
    QVERIFY(without.hint->isVisible());
    QVERIFY(without.hint->text().contains(QLatin1String("no lists of neighbours")));
    QVERIFY(!without.left->isEnabled() && !without.right->isEnabled());
}

void PairsPanelTest::listsPairsNearestFirst_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("duplicates") << static_cast<int>(PairKind::Duplicates);
    QTest::newRow("copies") << static_cast<int>(PairKind::Copies);
    QTest::newRow("leaks") << static_cast<int>(PairKind::Leaks);
}

void PairsPanelTest::listsPairsNearestFirst() {
    QFETCH(int, kind);
    const auto audit = withHeldOut(test::fakeAudit(manySamples()));
    const PairsWindow window(pairsOf(audit));
    window.pick(static_cast<PairKind>(kind));
    const SamplePairs expected = findPairs(*audit, 0)->of(static_cast<PairKind>(kind));
    QCOMPARE(window.pairs().size(), expected.pairs.size());
    QCOMPARE(window.pairs().remarkable(), expected.remarkable);
    for (std::size_t i = 0; i < expected.pairs.size(); ++i)
        QCOMPARE(window.pairs().pairAt(i), expected.pairs[i]);
    QVERIFY(window.kinds->currentText().contains(formatCount(expected.remarkable)));
    QVERIFY(window.summary->text().contains(formatCount(expected.pairs.size())));
    test::shoot(*window.view.window(), QStringLiteral("pairs-%1").arg(kind));
}

void PairsPanelTest::marksWhatIsRemarkable() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples()), kCopying), {640, 3000});
    window.pick(PairKind::Copies);
    const std::size_t marked = window.pairs().remarkable();
    QVERIFY(marked > 0);
    QVERIFY(window.isMarked(0));
    PairsWindow good(pairsOf(test::fakeAudit(manySamples())));
    good.pick(PairKind::Copies);
    QVERIFY(good.pairs().remarkable() < 4);
    QVERIFY(!good.isMarked(good.pairs().remarkable()));
}

void PairsPanelTest::clickSelectsOneSide() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    window.pick(PairKind::Copies);
    window.click(1, PairSide::Left);
    QCOMPARE(window.selection.samples(), (SampleSet{window.sample(1, PairSide::Left)}));
    QCOMPARE(window.selection.focus(), std::optional(window.sample(1, PairSide::Left)));
    window.click(0, PairSide::Right);
    QCOMPARE(window.selection.samples(), (SampleSet{window.sample(0, PairSide::Right)}));
    QVERIFY(isReal(window.selection.focus()->set));
}

void PairsPanelTest::modifiersChangeTheSelection() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    const SampleId a = window.sample(0, PairSide::Left);
    const SampleId b = window.sample(0, PairSide::Right);
    window.click(0, PairSide::Left);
    window.click(0, PairSide::Right, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), (SampleSet{a, b}));
    window.click(0, PairSide::Left, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), (SampleSet{b}));
    window.click(0, PairSide::Left, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), (SampleSet{a, b}));
    window.click(0, PairSide::Right, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), (SampleSet{a}));
}

void PairsPanelTest::samplesAreAccessible() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    QAccessibleInterface* wall = QAccessible::queryAccessibleInterface(window.gallery);
    QVERIFY(wall != nullptr && wall->childCount() > 4);
    QCOMPARE(wall->role(), QAccessible::List);
    const QAccessibleInterface* right = wall->child(3); // of the second pair
    const SampleId sample = window.sample(1, PairSide::Right);
    const EmbeddingSet& set = window.view.state().audit->setOf(sample.set);
    QVERIFY(right->text(QAccessible::Name)
                .startsWith(QString::fromStdString(set.idText(sample.row) + " of " + set.name())));
    QCOMPARE(right->rect().center(), window.gallery->viewport()->mapToGlobal(window.centre(1, PairSide::Right)));
    QCOMPARE(wall->childAt(right->rect().center().x(), right->rect().center().y()), right);
    QVERIFY(!right->state().selected);
    window.click(1, PairSide::Right);
    QVERIFY(right->state().selected && right->state().focused);
    QCOMPARE(wall->focusChild(), right);
}

void PairsPanelTest::keysGoFromPictureToPicture() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    window.gallery->setFocus();
    const auto current = [&] { return *window.gallery->current(); };
    window.press(Qt::Key_Right);
    QCOMPARE(current(), (GridPlace{0, 0}));
    window.press(Qt::Key_Right);
    QCOMPARE(current(), (GridPlace{0, 1}));
    QCOMPARE(window.selection.focus(), std::optional(window.sample(0, PairSide::Right)));
    window.press(Qt::Key_Right);
    QCOMPARE(current(), (GridPlace{1, 0}));
    window.press(Qt::Key_Left);
    QCOMPARE(current(), (GridPlace{0, 1}));
    const auto perLine = static_cast<std::size_t>(window.gallery->columns());
    QVERIFY(perLine > 1);
    window.press(Qt::Key_Down);
    QCOMPARE(current(), (GridPlace{perLine, 1}));
    window.press(Qt::Key_Up);
    window.press(Qt::Key_Up); // no line there: stays
    QCOMPARE(current(), (GridPlace{0, 1}));
    window.press(Qt::Key_End);
    QCOMPARE(current(), (GridPlace{window.pairs().size() - 1, 1}));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->pictureRect(current())));
    window.press(Qt::Key_Home);
    window.press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(),
             (SampleSet{window.sample(0, PairSide::Left), window.sample(0, PairSide::Right)}));
}

void PairsPanelTest::doubleClickAndEnterInspect() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    const auto& inspected = window.host.inspected;
    QTest::mouseDClick(window.gallery->viewport(), Qt::LeftButton, {}, window.centre(1, PairSide::Right));
    QCOMPARE(inspected.size(), std::size_t{1});
    QCOMPARE(inspected.back(), window.sample(1, PairSide::Right));
    window.gallery->setFocus();
    window.press(Qt::Key_Home);
    window.press(Qt::Key_Return);
    QCOMPARE(inspected.size(), std::size_t{2});
    QCOMPARE(inspected.back(), window.sample(0, PairSide::Left));
}

void PairsPanelTest::hoverIsShared() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    // Events of its own: QTest::mouseMove() moves the pointer of the display, which says nothing where it stands there
    // already, and whose own events come whenever they come.
    const auto moveTo = [&window](QPoint point) {
        QWidget* viewport = window.gallery->viewport();
        QMouseEvent move(QEvent::MouseMove, point, viewport->mapToGlobal(point), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(viewport, &move);
        return window.selection.hovered();
    };
    QCOMPARE(moveTo(window.centre(0, PairSide::Left)), std::optional(window.sample(0, PairSide::Left)));
    QCOMPARE(moveTo(window.centre(0, PairSide::Right)), std::optional(window.sample(0, PairSide::Right)));
    QVERIFY(!moveTo(QPoint(2, 2)));
    moveTo(window.centre(0, PairSide::Left));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(window.gallery->viewport(), &leave);
    QVERIFY(!window.selection.hovered());
}

void PairsPanelTest::buttonsSelectOneSideOfTheMarkedPairs() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples()), kCopying));
    // 240 samples are copies of 200: 40 pairs of two copies of the same sample are near duplicates.
    QVERIFY(window.pairs().remarkable() >= 20);
    const std::size_t marked = window.pairs().remarkable();
    SampleSet later;
    for (std::size_t i = 0; i < marked; ++i) {
        later.insert(window.sample(i, PairSide::Right));
        QVERIFY(window.sample(i, PairSide::Left) < window.sample(i, PairSide::Right));
    }
    QTest::mouseClick(window.right, Qt::LeftButton);
    QCOMPARE(window.selection.samples(), later);
    QVERIFY(window.gallery->hasFocus()); // Space rejects and presses no button
    QTest::mouseClick(window.left, Qt::LeftButton);
    QCOMPARE(window.selection.samples(), window.pairs().remarkableSamples(PairSide::Left));
    window.pick(PairKind::Copies);
    QTest::mouseClick(window.right, Qt::LeftButton);
    QCOMPARE(window.selection.samples().countIn(SetId::Real), window.selection.samples().size());
}

void PairsPanelTest::heldOutSamplesCannotBeSelected() {
    const PairsWindow window(pairsOf(withHeldOut(test::fakeAudit(manySamples()))));
    window.pick(PairKind::Leaks);
    QVERIFY(window.pairs().remarkable() > 0);
    QVERIFY(!window.left->isEnabled());
    QVERIFY(window.right->isEnabled());
    window.click(0, PairSide::Left);
    QVERIFY(window.selection.isEmpty());
    QCOMPARE(window.gallery->current(), std::optional(GridPlace{0, 0}));
    QTest::mouseMove(window.gallery->viewport(), window.centre(0, PairSide::Left));
    QVERIFY(!window.selection.hovered());
    QVERIFY(window.toolTip(window.centre(0, PairSide::Left)).contains(QLatin1String("cannot be selected")));
    QVERIFY(window.toolTip(window.centre(0, PairSide::Left)).contains(QLatin1String("copies-")));
    const auto& inspected = window.host.inspected;
    window.press(Qt::Key_Return);
    QCOMPARE(inspected.size(), std::size_t{0});
    window.press(Qt::Key_Right);
    QCOMPARE(window.selection.samples(), (SampleSet{window.sample(0, PairSide::Right)}));
    QVERIFY(isReal(window.selection.focus()->set));
    QTest::mouseClick(window.right, Qt::LeftButton);
    QCOMPARE(window.selection.samples(), window.pairs().remarkableSamples(PairSide::Right));
}

void PairsPanelTest::leaksAreListedOnlyWithAHeldOutSet() {
    PairsWindow window(pairsOf(withHeldOut(test::fakeAudit(manySamples()))));
    QCOMPARE(window.kinds->count(), 3);
    window.pick(PairKind::Leaks);
    window.view.showState(pairsOf(test::fakeAudit(manySamples())));
    QCOMPARE(window.kinds->count(), 2);
    QCOMPARE(window.pairs().kind(), PairKind::Duplicates);
    QCOMPARE(window.pairs().size(),
             findPairs(*test::fakeAudit(manySamples()), 0)->of(PairKind::Duplicates).pairs.size());
}

void PairsPanelTest::followsTheSelection() {
    PairsWindow window(pairsOf(test::fakeAudit(manySamples())));
    const std::size_t last = window.pairs().size() - 1;
    const SampleId sample = window.sample(last, PairSide::Right);
    const auto first = window.pairs().find(sample);
    QVERIFY(first);
    const GridPlace place = window.placeOf(first->position, first->side);
    window.selection.select(sample);
    QCOMPARE(window.gallery->current(), std::optional(place));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->pictureRect(place)));
    const QSignalSpy changed(&window.selection, &SampleSelection::changed);
    window.view.showState(window.view.state());
    QCOMPARE(changed.size(), 0);
}

void PairsPanelTest::showsWhatTheFilterLeaves() {
    PairsWindow window(pairsOf(withHeldOut(test::fakeAudit(manySamples())), kCopying));
    ViewFilter filter;
    filter.className = "square";
    for (const PairKind kind : {PairKind::Duplicates, PairKind::Copies, PairKind::Leaks}) {
        window.view.showState(test::filtered(window.view.state(), {}));
        window.pick(kind);
        const std::size_t all = window.pairs().size();
        window.showFiltered(filter);
        QVERIFY(window.pairs().size() > 0 && window.pairs().size() < all);
        std::size_t expected = 0;
        for (const SamplePair& pair : window.pairs().all().pairs) {
            const SetId set = window.view.state().currentSet();
            const bool first = kind == PairKind::Leaks || window.view.state().isShown({set, pair.first});
            const SetId other = kind == PairKind::Duplicates ? set : SetId::Real;
            expected += first && window.view.state().isShown({other, pair.second}) ? 1 : 0;
        }
        QCOMPARE(window.pairs().size(), expected);
        std::size_t marked = 0;
        for (std::size_t at = 0; at < window.pairs().size(); ++at)
            marked += isRemarkable(window.pairs().pairAt(at), window.pairs().all().threshold) ? 1 : 0;
        QCOMPARE(window.pairs().remarkable(), marked);
        QCOMPARE(window.pairs().remarkable(kind), marked);
    }
    filter.className.reset();
    filter.text = QStringLiteral("no such sample");
    window.showFiltered(filter);
    QVERIFY(window.hint->isVisible());
    QVERIFY(window.hint->text().contains(QLatin1String("filter")));
    QCOMPARE(window.host.requests.size(), std::size_t{1});
}

void PairsPanelTest::asksForOtherModelsOnly() {
    const auto audit = test::fakeAudit(manySamples());
    PairsWindow window(pairsOf(audit));
    QCOMPARE(window.host.requests.size(), std::size_t{1});
    ViewState state = pairsOf(audit);
    state.kept = std::make_shared<const std::vector<bool>>(240, false);
    window.view.showState(state);
    QCOMPARE(window.host.requests.size(), std::size_t{1});
    window.view.showState(pairsOf(audit, kCopying));
    QCOMPARE(window.host.requests.size(), std::size_t{2});
    QCOMPARE(window.pairs().sampleAt({0, PairSide::Left}).set, syntheticSet(kCopying));
}

void PairsPanelTest::ignoresPairsOfAnotherModel() {
    const auto audit = test::fakeAudit(manySamples());
    test::ShownView<PairsPanel> window({}, {640, 420});
    window.host.onRequest = [](const PanelRequest&) {}; // nobody finds what it asks for
    window.view.showState(pairsOf(audit));
    QVERIFY(window.text("panelMessage").startsWith(QLatin1String("Looking for")));
    window.view.showPairs(findPairs(*audit, kCopying));
    QCOMPARE(window.view.pairs().size(), std::size_t{0});
    window.view.showPairs(findPairs(*audit, 0));
    QVERIFY(window.view.pairs().size() > 0);
}

void PairsPanelTest::rejectedSamplesAreFaded() {
    const auto audit = test::fakeAudit(manySamples());
    PairsWindow window(pairsOf(audit));
    const QRect left = window.gallery->pictureRect({0, 0});
    const QRect right = window.gallery->pictureRect({0, 1});
    const auto grab = [&](const QRect& area) { return window.gallery->viewport()->grab(area).toImage(); };
    const QImage leftBefore = grab(left);
    const QImage rightBefore = grab(right);
    const int scrolled = window.gallery->verticalScrollBar()->value();
    std::vector<bool> kept(240, true);
    kept[window.sample(0, PairSide::Right).row] = false;
    ViewState state = pairsOf(audit);
    state.kept = std::make_shared<const std::vector<bool>>(kept);
    window.view.showState(state);
    QCOMPARE(grab(left), leftBefore);
    QVERIFY(grab(right) != rightBefore);
    QCOMPARE(window.gallery->verticalScrollBar()->value(), scrolled);
}

void PairsPanelTest::toolTipsDefineTheRatio() {
    const PairsWindow window(pairsOf(test::fakeAudit(manySamples()), kCopying));
    const QString ratio = window.toolTip(window.gallery->captionRect(0).center());
    QVERIFY(ratio.contains(QLatin1String("divided by how far apart real samples are")));
    QVERIFY(ratio.contains(formatNumber(window.pairs().all().threshold)));
    QVERIFY(ratio.contains(formatNumber(window.pairs().pairAt(0).distance)));
    const SampleId sample = window.sample(0, PairSide::Left);
    QVERIFY(window.toolTip(window.centre(0, PairSide::Left))
                .contains(QString::fromStdString(window.view.state().current().set->idText(sample.row))));
}

void PairsPanelTest::manyPairsArePaintedOnlyInSight() {
    test::FakeOptions options = manySamples();
    options.synthetic = 1000;
    options.models = 1;
    const PairsWindow window(pairsOf(test::fakeAudit(options)));
    window.pick(PairKind::Copies);
    QCOMPARE(window.pairs().size(), std::size_t{1000});
    window.gallery->setFocus();
    window.press(Qt::Key_End);
    window.gallery->viewport()->repaint();
    QVERIFY(window.gallery->lastPainted() > 0);
    QVERIFY(window.gallery->lastPainted() < 40);
}

void PairsPanelTest::nothingIsCutOffWhereItIsNarrow() {
    const PairsWindow window(pairsOf(withHeldOut(test::fakeAudit(manySamples())), kCopying), {240, 420});
    QCOMPARE(window.view.width(), 240);
    for (const QWidget* part : std::initializer_list<QWidget*>{window.kinds, window.left, window.right, window.summary})
        QVERIFY2(window.view.rect().contains(QRect(part->mapTo(&window.view, QPoint()), part->size())),
                 qPrintable(part->objectName()));
    for (const QPushButton* button : {window.left, window.right})
        QVERIFY(button->width() >= button->minimumSizeHint().width());
    const QRect right = window.gallery->pictureRect({0, 1});
    QVERIFY(window.gallery->viewport()->rect().contains(right));
    const QFontMetrics bold([&] {
        QFont font = window.gallery->font();
        font.setBold(true);
        return font;
    }());
    QVERIFY(bold.horizontalAdvance(QStringLiteral("distance 0.000123")) <= window.gallery->captionRect(0).width());
    test::shoot(*window.view.window(), QStringLiteral("pairs-narrow"));
}

ASSAY_TEST(pairs_panel_test, PairsPanelTest)
#include "pairs_panel_test.moc"
