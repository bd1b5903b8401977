// Rules on sets, whose samples are looked for beside the window where they are many.
#include "engine/subsets/rules/filter.h"
#include "gui/session/document.h"
#include "gui/session/editor.h"
#include "gui/session/open_audit.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/link/sample_selection.h"

#include <QSignalSpy>
#include <QtTest>

#include <limits>
#include <memory>

using namespace assay;

namespace {

const FilterRules kRules{findSetRule("near_duplicate")->rule()};

SetRuleRows rows(std::vector<std::uint32_t> some) {
    return {{"near_duplicate", std::make_shared<const std::vector<std::uint32_t>>(std::move(some))}};
}

struct OpenDocument {
    SampleSelection selection;
    Document document{&selection};
    Editor editor{&document};
    std::shared_ptr<const AuditResult> audit = test::fakeAudit();

    OpenDocument() {
        auto open = std::make_unique<OpenAudit>();
        open->audit = audit;
        document.setOpenAudit(std::move(open));
    }
};

} // namespace

class SetRulesTest : public QObject {
    Q_OBJECT

private slots:
    void fewAreFoundAtOnce();
    void manyAreAskedForOnce();
    void thoseGivenUpAreAskedForAgain();
    void thoseOfAnotherModelAreDropped();
};

void SetRulesTest::fewAreFoundAtOnce() {
    OpenDocument open;
    const QSignalSpy wanted(&open.document, &Document::setRulesWanted);
    open.editor.addRules(kRules);
    QCOMPARE(open.document.rejectedCount(), findSetRule("near_duplicate")->rows(*open.audit, 0).size());
    QCOMPARE(wanted.count(), 0);
}

void SetRulesTest::manyAreAskedForOnce() {
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

void SetRulesTest::thoseGivenUpAreAskedForAgain() {
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

void SetRulesTest::thoseOfAnotherModelAreDropped() {
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

ASSAY_TEST(set_rules_test, SetRulesTest)
#include "set_rules_test.moc"
