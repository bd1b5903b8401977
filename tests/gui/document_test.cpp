// The open audit with its decisions, and the one state that follows from them.
#include "gui/session/document.h"
#include "gui/session/editor.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/space_points.h"

#include <QSignalSpy>
#include <QtTest>

using namespace assay;

namespace {

std::unique_ptr<OpenAudit> opened(const std::shared_ptr<const AuditResult>& audit) {
    auto open = std::make_unique<OpenAudit>();
    open->audit = audit;
    return open;
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void showsWhatJobsFindOnce();
    void dropsWhatWasFoundOfAnotherModel();
    void keepsWhatWasFoundWhenModelsAreAdded();
    void refusesEditsWhileClosed();
    void handsBackTheAuditBefore();
};

void DocumentTest::showsWhatJobsFindOnce() {
    SampleSelection selection;
    Document document(&selection);
    document.setOpenAudit(opened(test::fakeAudit()));
    QSignalSpy states(&document, &Document::stateChanged);
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    found.layout.arrangement = Arrangement::Neighbors;
    document.setComputed(found);
    document.setComputed(found);
    QCOMPARE(states.size(), 1);
    QVERIFY(document.state().computed == found);
}

void DocumentTest::dropsWhatWasFoundOfAnotherModel() {
    SampleSelection selection;
    Document document(&selection);
    Editor editor(&document);
    document.setOpenAudit(opened(test::fakeAudit()));
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    found.layout.arrangement = Arrangement::Neighbors;
    document.setComputed(found);
    editor.setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(document.state().computed.points); // of the same samples
    editor.setModel(1);
    QVERIFY(!document.state().computed.points);
    QCOMPARE(document.state().computed.layout.arrangement, Arrangement::Neighbors); // still wanted
}

void DocumentTest::keepsWhatWasFoundWhenModelsAreAdded() {
    SampleSelection selection;
    Document document(&selection);
    const auto audit = test::fakeAudit();
    document.setOpenAudit(opened(audit));
    Computed found;
    found.points = std::make_shared<const SpacePoints>();
    document.setComputed(found);
    document.extend(std::make_shared<const AuditResult>(*audit));
    QVERIFY(document.state().computed == found);
    document.setOpenAudit(opened(test::fakeAudit({.seed = 99})));
    QVERIFY(!document.state().computed.points);
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
    SampleSelection selection;
    Document document(&selection);
    Editor editor(&document);
    const auto first = test::fakeAudit();
    document.setOpenAudit(opened(first));
    const SampleId sample{syntheticSet(0), 3};
    selection.select(sample);
    editor.judge({sample}, HandVerdict::Rejected);
    auto before = document.setOpenAudit(opened(test::fakeAudit({.seed = 99})));
    QVERIFY(selection.isEmpty() && !document.state().byHand);
    document.setOpenAudit(std::move(before));
    QVERIFY(document.state().audit == first && selection.contains(sample));
    QVERIFY(document.state().isRejectedByHand(3));
    document.undoGroup()->undo();
    QVERIFY(!document.state().byHand);
}

ASSAY_TEST(document_test, DocumentTest)
#include "document_test.moc"
