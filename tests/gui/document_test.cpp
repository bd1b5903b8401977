// The open audit with its decisions, and the one state that follows from them; near duplicates, whose samples are
// looked for beside the window where they are many.
#include "engine/report/space/space_points.h"
#include "engine/subsets/rules/filter.h"
#include "gui/session/document.h"
#include "gui/session/editor.h"
#include "gui/session/open_audit.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/link/sample_selection.h"

#include <memory>

using namespace assay;

namespace {

std::unique_ptr<OpenAudit> opened(const std::shared_ptr<const AuditResult>& audit) {
    auto open = std::make_unique<OpenAudit>();
    open->audit = audit;
    return open;
}

const FilterRules kRules{findSetRule("near_duplicate")->rule()};

SetRuleRows rows(std::vector<std::uint32_t> some) {
    return {{"near_duplicate", std::make_shared<const std::vector<std::uint32_t>>(std::move(some))}};
}

struct OpenDocument {
    SampleSelection selection;
    Document document{&selection};
    Editor editor{&document};
    std::shared_ptr<const AuditResult> audit = test::fakeAudit();

    OpenDocument() { document.setOpenAudit(opened(audit)); }
};

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void showsWhatJobsFindOnce();
    void dropsWhatWasFoundOfAnotherModel();
    void keepsWhatWasFoundWhenModelsAreAdded();
    void refusesEditsWhileClosed();
    void handsBackTheAuditBefore();

    void fewNearDuplicatesAreFoundAtOnce();
    void manyNearDuplicatesAreAskedForOnce();
    void nearDuplicatesGivenUpAreAskedForAgain();
    void nearDuplicatesOfAnotherModelAreDropped();
};

void DocumentTest::showsWhatJobsFindOnce() {
    OpenDocument open;
    QSignalSpy states(&open.document, &Document::stateChanged);
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    found.layout.arrangement = Arrangement::Neighbors;
    open.document.setComputed(found);
    open.document.setComputed(found);
    QCOMPARE(states.size(), 1);
    QVERIFY(open.document.state().computed == found);
}

void DocumentTest::dropsWhatWasFoundOfAnotherModel() {
    OpenDocument open;
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    found.layout.arrangement = Arrangement::Neighbors;
    open.document.setComputed(found);
    open.editor.setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(open.document.state().computed.points); // of the same samples
    open.editor.setModel(1);
    QVERIFY(!open.document.state().computed.points);
    QCOMPARE(open.document.state().computed.layout.arrangement, Arrangement::Neighbors); // still wanted
}

void DocumentTest::keepsWhatWasFoundWhenModelsAreAdded() {
    OpenDocument open;
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    open.document.setComputed(found);
    open.document.extend(std::make_shared<const AuditResult>(*open.audit));
    QVERIFY(open.document.state().computed == found);
    open.document.setOpenAudit(opened(test::fakeAudit({.seed = 99})));
    QVERIFY(!open.document.state().computed.points);
}

void DocumentTest::refusesEditsWhileClosed() {
    SampleSelection selection;
    Document document(&selection);
    Editor editor(&document);
    QSignalSpy states(&document, &Document::stateChanged);
    editor.setModel(1);
    editor.setRules({{"fidelity", Bound::AtLeast, 0.5}});
    editor.judge({{syntheticSet(0), 1}}, HandVerdict::Rejected);
    editor.setNote({syntheticSet(0), 1}, QStringLiteral("note"));
    editor.showAll();
    selection.select({syntheticSet(0), 1});
    QCOMPARE(states.size(), 0);
    QVERIFY(!document.hasUnreportedDecisions() && !document.history());
}

void DocumentTest::handsBackTheAuditBefore() {
    OpenDocument open;
    const SampleId sample{syntheticSet(0), 3};
    open.selection.select(sample);
    open.editor.judge({sample}, HandVerdict::Rejected);
    auto before = open.document.setOpenAudit(opened(test::fakeAudit({.seed = 99})));
    QVERIFY(open.selection.isEmpty() && !open.document.state().rejectedByHand);
    open.document.setOpenAudit(std::move(before));
    QVERIFY(open.document.state().audit == open.audit && open.selection.contains(sample));
    QVERIFY(open.document.state().isRejectedByHand(3));
    open.document.undoGroup()->undo();
    QVERIFY(!open.document.state().rejectedByHand);
}

void DocumentTest::fewNearDuplicatesAreFoundAtOnce() {
    OpenDocument open;
    const QSignalSpy wanted(&open.document, &Document::setRulesWanted);
    open.editor.addRules(kRules);
    QCOMPARE(open.document.rejectedCount(), findSetRule("near_duplicate")->rows(*open.audit, 0).size());
    QCOMPARE(wanted.count(), 0);
}

void DocumentTest::manyNearDuplicatesAreAskedForOnce() {
    OpenDocument open;
    open.document.findSetsLater(0);
    const QSignalSpy wanted(&open.document, &Document::setRulesWanted);
    open.editor.addRules(kRules);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(open.document.rejectedCount(), std::size_t{0});
    open.editor.addRules({{"fidelity", Bound::AtLeast, 0.0}});
    QCOMPARE(wanted.count(), 1);
    const QSignalSpy changed(&open.document, &Document::stateChanged);
    open.document.setFoundSets(open.audit, 0, rows({1, 3}));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(open.document.rejectedCount(), std::size_t{2});
    QVERIFY(open.document.state().isKept(0) && !open.document.state().isKept(1) && !open.document.state().isKept(3));
    open.document.undoGroup()->undo();
    open.document.undoGroup()->undo();
    QCOMPARE(open.document.rejectedCount(), std::size_t{0});
    open.document.undoGroup()->redo();
    QCOMPARE(open.document.rejectedCount(), std::size_t{2});
    QCOMPARE(wanted.count(), 1);
}

void DocumentTest::nearDuplicatesGivenUpAreAskedForAgain() {
    OpenDocument open;
    open.document.findSetsLater(0);
    const QSignalSpy wanted(&open.document, &Document::setRulesWanted);
    open.editor.addRules(kRules);
    open.document.giveUpSets(); // their job failed, or was stopped
    QCOMPARE(wanted.count(), 1);
    ViewFilter some;
    some.text = QStringLiteral("1");
    open.editor.setFilter(some); // any edit
    QCOMPARE(wanted.count(), 2);
    open.document.setFoundSets(open.audit, 0, rows({1, 3}));
    QCOMPARE(open.document.rejectedCount(), std::size_t{2});
}

void DocumentTest::nearDuplicatesOfAnotherModelAreDropped() {
    OpenDocument open;
    open.document.findSetsLater(0);
    const QSignalSpy wanted(&open.document, &Document::setRulesWanted);
    open.editor.addRules(kRules);
    open.editor.setModel(1);
    QCOMPARE(wanted.count(), 2);
    open.document.setFoundSets(open.audit, 0, rows({1, 3}));
    QCOMPARE(open.document.rejectedCount(), std::size_t{0});
    open.document.setFoundSets(open.audit, 1, rows({2}));
    QCOMPARE(open.document.rejectedCount(), std::size_t{1});
}

ASSAY_TEST(document_test, DocumentTest)
#include "document_test.moc"
