#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/ranking/ranking_cells.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_table.h"
#include "widgets/ranking/ranking_view.h"

#include <QtWidgets>

using namespace assay;

namespace {

ViewState stateOf(std::shared_ptr<const AuditResult> audit, std::size_t model = 0) {
    return {std::move(audit), model, nullptr};
}

std::vector<std::uint32_t> rowsOf(const RankingModel& model) {
    std::vector<std::uint32_t> rows;
    for (std::size_t at = 0; at < model.size(); ++at)
        rows.push_back(model.sampleAt(at).row);
    return rows;
}

/// An audit whose PCE column is given; fidelity is 0 everywhere.
std::shared_ptr<const AuditResult> auditWithPce(std::vector<double> pce) {
    test::FakeOptions options;
    options.models = 1;
    options.synthetic = pce.size();
    return test::withModel(test::fakeAudit(options), 0, [&](ModelAudit& model) {
        for (ColumnValues& column : model.columns)
            if (column.id == "pce")
                column.values = pce;
    });
}

/// A ranking view in a window of its own.
struct RankingWindow : test::ShownView<RankingView> {
    SampleGrid* gallery = view.findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
    RankingTable* table = view.findChild<RankingTable*>("rankingTable");

    explicit RankingWindow(const ViewState& state, QSize size = {820, 360}) : ShownView(state, size) {}
    void click(std::size_t position, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, modifiers, gallery->cellRect(position).center());
    }
    SampleId at(std::size_t position) const { return view.model()->sampleAt(position); }
};

} // namespace

class RankingViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void filtersAndKeepsIdentity();
    void listsSelectedSamples();
    void listsWhatIsUndecidedAndWhatIsReviewed();
    void verdictsDifferInWordsAtEverySize();
    void marksDecisionsAndNotes_data();
    void marksDecisionsAndNotes();
    void tooltipTellsDecisionTagsAndNote();
    void passesTheModelTester();
    void saysNothingNewOnTheSameState();
    void clickSelectsAndModifiersExtend();
    void arrowsWalkTheRanking();
    void escapeClearsAndSelectAllTakesWhatIsListed();
    void rangeSurvivesAnotherOrder();
    void hoverPreviews();
    void doubleClickAndEnterInspect();
    void followsTheFocusFromElsewhere();
    void showsWhereASelectionOfManyBegins();
    void comboHeaderAndSearchChangeTheRanking();
    void countIsReadableAtEveryWidth();
    void tableSharesTheSelection();
    void teachesWhenNothingIsFound();
    void paintsOnlyWhatIsInSight();
    void hugeRankingIsSortedAndComplete();
};

void RankingViewTest::filtersAndKeepsIdentity() {
    const auto audit = test::fakeAudit();
    SampleSelection selection;
    RankingModel model(&selection);
    ViewState state = stateOf(audit, 1);
    auto kept = std::make_shared<std::vector<bool>>(80, true);
    (*kept)[3] = (*kept)[8] = false;
    state.kept = kept;
    model.setState(state);
    model.setShow(RankingShow::Rejected);
    QCOMPARE(model.size(), 2U);
    QVERIFY(model.positionOf({syntheticSet(1), 3}).has_value());
    QVERIFY(!model.positionOf({syntheticSet(0), 3}).has_value());
    QVERIFY(!model.positionOf({syntheticSet(1), 4}).has_value());
    model.setShow(RankingShow::Kept);
    QCOMPARE(model.size(), 78U);
    model.setShow(RankingShow::Accused);
    QVERIFY(model.size() > 60);
    for (std::uint32_t row : rowsOf(model))
        QVERIFY(audit->models[1]->column("verdict")[row] != 0.0);
    model.setShow(RankingShow::All);
    ViewFilter filter;
    filter.className = audit->models[1]->set->labels().names[2];
    model.setState(test::filtered(state, filter));
    QCOMPARE(model.size(), 26U);
    filter.text = "-001";
    model.setState(test::filtered(state, filter));
    QCOMPARE(model.size(), 3U); // rows 11, 14, 17
    filter.className.reset();
    filter.text = "TRIANG";
    model.setState(test::filtered(state, filter));
    QCOMPARE(model.size(), 26U);
    for (std::size_t at = 0; at < model.size(); ++at)
        QCOMPARE(model.positionOf(model.sampleAt(at)), std::optional(at));
}

void RankingViewTest::listsSelectedSamples() {
    SampleSelection selection;
    RankingModel model(&selection);
    model.setState(stateOf(test::fakeAudit(), 1));
    model.setShow(RankingShow::Selected);
    QCOMPARE(model.size(), 0U);
    selection.replace({{syntheticSet(1), 5}, {syntheticSet(1), 6}, {syntheticSet(0), 7}, {SetId::Real, 1}});
    model.selectionChanged();
    QCOMPARE(model.size(), 2U);
}

void RankingViewTest::listsWhatIsUndecidedAndWhatIsReviewed() {
    SampleSelection selection;
    RankingModel model(&selection);
    ViewState state = stateOf(auditWithPce({8, 7, 6, 5, 4, 3, 2, 1}));
    const SetId set = syntheticSet(0);
    model.setState(state);
    model.setOrder({"pce", Qt::DescendingOrder});
    model.setShow(RankingShow::Reviewed);
    QCOMPARE(rowsOf(model), std::vector<std::uint32_t>());
    state.rejectedByHand = std::make_shared<const std::vector<std::uint32_t>>(1, 1U);
    state.accepted = std::make_shared<const SampleSet>(SampleSet{{set, 3}, {syntheticSet(1), 2}});
    model.setState(state); // lists follow
    QCOMPARE(rowsOf(model), (std::vector<std::uint32_t>{1, 3}));
    state.unsure = std::make_shared<const SampleSet>(SampleSet{{set, 7}});
    model.setState(state);
    QCOMPARE(rowsOf(model), (std::vector<std::uint32_t>{1, 3, 7}));
    model.setShow(RankingShow::Undecided);
    QCOMPARE(rowsOf(model), (std::vector<std::uint32_t>{0, 2, 4, 5, 6}));
    state.accepted.reset();
    model.setState(state);
    QCOMPARE(rowsOf(model), (std::vector<std::uint32_t>{0, 2, 3, 4, 5, 6}));
}

void RankingViewTest::verdictsDifferInWordsAtEverySize() {
    RankingWindow window(stateOf(test::fakeAudit()));
    for (const int edge : {SampleGrid::kSmallestEdge, 48, 72, SampleGrid::kLargestEdge}) {
        window.gallery->setEdge(edge);
        QSet<QString> texts;
        for (const Verdict verdict : {Verdict::Copy, Verdict::Crowded, Verdict::Unrealistic, Verdict::Invented}) {
            const QString text = window.gallery->badgeText(RankingCells::badge(verdict, window.view.palette()));
            texts << text;
            QVERIFY(window.gallery->fontMetrics().horizontalAdvance(text) < edge);
        }
        QCOMPARE(texts.size(), 4);
        QVERIFY(!texts.contains(QString()));
    }
    QCOMPARE(window.gallery->badgeText(RankingCells::badge(Verdict::Crowded, window.view.palette())),
             QString("crowded"));
}

void RankingViewTest::marksDecisionsAndNotes_data() {
    // the corner below that changes
    test::addColumns<QString, bool>("what", "left");
    QTest::newRow("accepted") << "accepted" << true;
    QTest::newRow("unsure") << "unsure" << true;
    QTest::newRow("note") << "note" << false;
}

void RankingViewTest::marksDecisionsAndNotes() {
    QFETCH(QString, what);
    QFETCH(bool, left);
    RankingWindow window(stateOf(test::fakeAudit()));
    const auto corner = [&window](bool ofLeft) {
        const QRect tile = window.gallery->cellRect(0);
        const int edge = tile.width();
        const QRect part(tile.left() + (ofLeft ? 1 : edge / 2 + 1), tile.top() + edge / 2, edge / 2 - 2, edge / 2 - 2);
        return window.gallery->viewport()->grab(part).toImage();
    };
    QTRY_VERIFY(window.view.model()->size() > 0);
    QTest::qWait(0);
    const QImage before = corner(left);
    const QImage other = corner(!left);
    ViewState state = window.view.state();
    const SampleId first = window.at(0);
    if (what == QLatin1String("accepted"))
        state.accepted = std::make_shared<const SampleSet>(SampleSet{first});
    else if (what == QLatin1String("unsure"))
        state.unsure = std::make_shared<const SampleSet>(SampleSet{first});
    else
        state.notes = std::make_shared<const SampleNotes>(SampleNotes{{first, "odd"}});
    window.view.showState(state);
    QVERIFY(corner(left) != before);
    QCOMPARE(corner(!left), other);
}

void RankingViewTest::tooltipTellsDecisionTagsAndNote() {
    ViewState state = stateOf(test::fakeAudit());
    const SampleId sample{syntheticSet(0), 4};
    auto tags = std::make_shared<SampleTags>();
    tags->give(1, {sample});
    state.tags = tags;
    state.tagNames = std::make_shared<const TagNames>(TagNames{"R&D"});
    state.accepted = std::make_shared<const SampleSet>(SampleSet{sample});
    state.notes =
        std::make_shared<const SampleNotes>(SampleNotes{{sample, "<i>odd</i>" + std::string(1000, 'x') + "end"}});
    const QString text = sampleToolTip(state, sample);
    QVERIFY(text.contains("kept by hand") && text.contains("tags: R&amp;D") && text.contains("&lt;i&gt;odd"));
    QVERIFY(!text.contains("xend")); // as much as fits beside the pointer
    QVERIFY(!sampleToolTip(state, {syntheticSet(0), 5}).contains("kept by hand"));
}

void RankingViewTest::passesTheModelTester() {
    SampleSelection selection;
    RankingModel model(&selection);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto audit = test::fakeAudit();
    model.setState(stateOf(audit));
    model.setOrder({"fidelity", Qt::AscendingOrder});
    model.sort(RankingModel::ClassColumn, Qt::DescendingOrder);
    ViewFilter filter;
    filter.text = "7";
    model.setState(test::filtered(stateOf(audit), filter));
    selection.select(model.sampleAt(0));
    model.setShow(RankingShow::Selected);
    selection.clear();
    model.selectionChanged();
    ViewState state = stateOf(audit, 1);
    model.setState(state);
    state.kept = std::make_shared<std::vector<bool>>(80, false);
    model.setState(state);
    model.setState({});
    QCOMPARE(model.rowCount(), 0);
}

void RankingViewTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    RankingWindow window(stateOf(audit));
    window.click(2);
    const QSignalSpy resets(window.view.model(), &QAbstractItemModel::modelReset);
    const QSignalSpy changes(&window.selection, &SampleSelection::changed);
    window.view.showState(stateOf(audit));
    window.selection.select(window.at(2));
    QCOMPARE(resets.count() + changes.count() + static_cast<qsizetype>(window.host.models.size()), 0);
}

void RankingViewTest::clickSelectsAndModifiersExtend() {
    RankingWindow window(stateOf(test::fakeAudit()));
    window.click(1);
    QCOMPARE(window.selection.samples(), std::vector{window.at(1)});
    QCOMPARE(window.selection.focus(), std::optional(window.at(1)));
    window.click(4, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), 4U);
    QCOMPARE(window.selection.focus(), std::optional(window.at(4)));
    window.click(2, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), 3U);
    QVERIFY(!window.selection.contains(window.at(2)));
    window.click(7, Qt::ControlModifier);
    QVERIFY(window.selection.contains(window.at(7)));
    QCOMPARE(window.selection.samples().size(), 4U);

    ViewState copies = stateOf(test::fakeAudit(), 1);
    auto kept = std::make_shared<std::vector<bool>>(80, true);
    for (std::size_t at : {2U, 3U, 9U})
        (*kept)[window.at(at).row] = false;
    copies.kept = kept;
    window.view.showState(copies);
    window.click(4);
    window.click(6, Qt::ShiftModifier);
    test::shoot(window.view, "ranking-gallery");
}

void RankingViewTest::arrowsWalkTheRanking() {
    RankingWindow window(stateOf(test::fakeAudit()));
    const auto columns = static_cast<std::size_t>(window.gallery->columns());
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window.gallery, key, modifiers);
        return *window.view.model()->positionOf(*window.selection.focus());
    };
    QCOMPARE(press(Qt::Key_Right), 0U);
    QCOMPARE(press(Qt::Key_Right), 1U);
    QCOMPARE(press(Qt::Key_Down), 1 + columns);
    QCOMPARE(press(Qt::Key_Left), columns);
    QCOMPARE(press(Qt::Key_Up), 0U);
    QCOMPARE(press(Qt::Key_Up), 0U);
    QCOMPARE(press(Qt::Key_End), 79U);
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(79)));
    QCOMPARE(press(Qt::Key_Home), 0U);
    QVERIFY(press(Qt::Key_PageDown) >= columns);
    QCOMPARE(press(Qt::Key_PageUp), 0U);
    QCOMPARE(press(Qt::Key_Right, Qt::ShiftModifier), 1U);
    QCOMPARE(press(Qt::Key_Right, Qt::ShiftModifier), 2U);
    QCOMPARE(window.selection.samples().size(), 3U);
    QCOMPARE(press(Qt::Key_Left, Qt::ShiftModifier), 1U);
    QCOMPARE(window.selection.samples().size(), 2U);
}

void RankingViewTest::escapeClearsAndSelectAllTakesWhatIsListed() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QTest::keyClicks(window.view.findChild<QLineEdit*>("rankingSearch"), "square");
    QTest::keyClick(window.gallery, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), 27U);
    QTest::keyClick(window.gallery, Qt::Key_Escape);
    QVERIFY(window.selection.isEmpty());
}

void RankingViewTest::rangeSurvivesAnotherOrder() {
    RankingWindow window(stateOf(test::fakeAudit()));
    window.click(3);
    const SampleId first = window.at(3);
    window.view.model()->setOrder({"id", Qt::AscendingOrder});
    const std::size_t now = *window.view.model()->positionOf(first);
    const std::size_t other = now >= 2 ? now - 2 : now + 2;
    window.gallery->scrollTo(other);
    window.click(other, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), 3U);
    QVERIFY(window.selection.contains(first));
}

void RankingViewTest::hoverPreviews() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QTest::mouseMove(window.gallery->viewport(), window.gallery->cellRect(2).center());
    QTRY_COMPARE(window.selection.hovered(), std::optional(window.at(2)));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(window.gallery->viewport(), &leave);
    QVERIFY(!window.selection.hovered());
}

void RankingViewTest::doubleClickAndEnterInspect() {
    RankingWindow window(stateOf(test::fakeAudit()));
    window.click(5);
    QTest::mouseDClick(window.gallery->viewport(), Qt::LeftButton, {}, window.gallery->cellRect(5).center());
    QCOMPARE(window.host.inspected, (std::vector{window.at(5)}));
    QTest::keyClick(window.gallery, Qt::Key_Return);
    QCOMPARE(window.host.inspected.size(), std::size_t{2});
}

void RankingViewTest::followsTheFocusFromElsewhere() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QVERIFY(!window.gallery->viewport()->rect().contains(window.gallery->cellRect(79)));
    window.selection.select(window.at(79));
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(79)));
    window.selection.select({SetId::Real, 0}); // not listed: stays
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(79)));
}

void RankingViewTest::showsWhereASelectionOfManyBegins() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QVERIFY(!window.gallery->viewport()->rect().contains(window.gallery->cellRect(70)));
    window.selection.replace({window.at(79), window.at(70), window.at(75)});
    QVERIFY(!window.selection.focus());
    QVERIFY(window.gallery->viewport()->rect().contains(window.gallery->cellRect(70)));
}

void RankingViewTest::comboHeaderAndSearchChangeTheRanking() {
    const auto audit = test::fakeAudit();
    RankingWindow window(stateOf(audit));
    const auto& pce = audit->models[0]->column("pce");
    QCOMPARE(pce[window.at(0).row], *std::max_element(pce.begin(), pce.end()));
    auto* combo = window.child<QComboBox>("rankingOrder");
    QTest::keyClick(combo, Qt::Key_Down); // most memorised first
    QCOMPARE(pce[window.at(0).row], *std::min_element(pce.begin(), pce.end()));
    QVERIFY(window.view.currentTitle().contains("memorised"));

    QTest::mouseClick(window.child<QToolButton>("rankingAsTable"), Qt::LeftButton);
    QVERIFY(window.table->isVisible() && !window.gallery->isVisible());
    QHeaderView* header = window.table->horizontalHeader();
    const int section = window.view.model()->sectionOf("re");
    const QPoint at(header->sectionViewportPosition(section) + 10, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(window.view.model()->order().column, std::string("re"));
    QVERIFY(combo->currentText().contains("RE"));
    QTest::keyClicks(window.child<QLineEdit>("rankingSearch"), "0007");
    QCOMPARE(window.view.model()->size(), 1U);
    QCOMPARE(window.child<QLabel>("rankingCount")->text(), QString("1 of 80"));
}

void RankingViewTest::countIsReadableAtEveryWidth() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QTest::keyClicks(window.child<QLineEdit>("rankingSearch"), "0007");
    const auto* count = window.child<QLabel>("rankingCount");
    for (const int width : {1300, 940, 720, 600, 530, 490, 440}) {
        window.view.resize(width, 360);
        QCoreApplication::processEvents();
        QVERIFY2(count->isVisible() && count->width() >= count->minimumSizeHint().width(),
                 qPrintable(QString::number(width)));
        QVERIFY(window.view.rect().contains(QRect(count->mapTo(&window.view, QPoint()), count->size())));
        QCOMPARE(count->text(), width >= 820 ? QString("1 of 80") : QString("1"));
        QVERIFY(count->toolTip().contains("1 of 80"));
    }
}

void RankingViewTest::tableSharesTheSelection() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QTest::mouseClick(window.child<QToolButton>("rankingAsTable"), Qt::LeftButton);
    const auto center = [&](int row) { return window.table->visualRect(window.view.model()->index(row, 0)).center(); };
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, {}, center(3));
    QCOMPARE(window.selection.focus(), std::optional(window.at(3)));
    QTest::keyClick(window.table, Qt::Key_Down);
    QCOMPARE(window.selection.focus(), std::optional(window.at(4)));
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, Qt::ShiftModifier, center(7));
    QCOMPARE(window.selection.samples().size(), 4U);
    QTest::keyClick(window.table, Qt::Key_End);
    QVERIFY(window.table->viewport()->rect().contains(center(79)));
    test::shoot(window.view, "ranking-table");
}

void RankingViewTest::teachesWhenNothingIsFound() {
    RankingWindow window(stateOf(test::fakeAudit()));
    QVERIFY(!window.hint->isVisible());
    QTest::keyClicks(window.child<QLineEdit>("rankingSearch"), "nothing has this name");
    QVERIFY(window.hint->isVisible());
}

void RankingViewTest::paintsOnlyWhatIsInSight() {
    RankingWindow window(stateOf(test::hugeAudit(100000)));
    QTRY_VERIFY(window.gallery->lastPainted() > 0);
    QVERIFY(window.gallery->lastPainted() < 120);
    auto* bar = window.gallery->verticalScrollBar();
    bar->setValue(bar->maximum());
    window.gallery->viewport()->repaint();
    QVERIFY(window.gallery->lastPainted() > 0 && window.gallery->lastPainted() < 120);
    const QRect last = window.gallery->cellRect(99999);
    QVERIFY(window.gallery->viewport()->rect().contains(last));
    QCOMPARE(window.gallery->cellAt(last.center()), std::optional<std::size_t>(99999));
}

void RankingViewTest::hugeRankingIsSortedAndComplete() {
    const auto audit = test::hugeAudit(100000, false);
    SampleSelection selection;
    RankingModel model(&selection);
    model.setState(stateOf(audit));
    const auto& pce = audit->models[0]->column("pce");
    std::vector<std::uint32_t> rows = rowsOf(model);
    QVERIFY(std::is_sorted(rows.begin(), rows.end(), [&](auto a, auto b) { return pce[a] > pce[b]; }));
    std::sort(rows.begin(), rows.end());
    QVERIFY(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
    QCOMPARE(rows.size(), std::size_t(100000));
    const auto& fidelity = audit->models[0]->column("fidelity");
    model.setOrder({"fidelity", Qt::AscendingOrder}); // six values
    rows = rowsOf(model);
    QVERIFY(std::is_sorted(rows.begin(), rows.end(), [&](auto a, auto b) { return fidelity[a] < fidelity[b]; }));
    QCOMPARE(rows.size(), std::size_t(100000));
}

ASSAY_TEST(ranking_view_test, RankingViewTest)
#include "ranking_view_test.moc"
