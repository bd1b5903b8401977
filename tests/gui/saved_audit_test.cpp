// An audit that is saved keeps every decision by itself, and comes back as it was left.
#include "engine/io/numpy/npy_writer.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class SavedAuditTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void everyDecisionComesBack();
    void closingDoesNotAskAnyMore();
    void laterChangesAreKeptByThemselves();
    void aSecondWindowDoesNotWrite();
    void addedModelsAreInTheFile();
    void aFileThatIsGoneIsTold();
    void oneThatIsRefusedChangesNothing();

private:
    void save() {
        const QSignalSpy exported(session_, &AuditSession::exported);
        session_->saveAudit(file("audit.assay"));
        QTRY_COMPARE(exported.count(), 1);
    }
    /// A second program on the same file.
    struct Other {
        SampleSelection selection;
        AuditSession session{&selection};
    };
    std::unique_ptr<Other> opened() const {
        auto other = std::make_unique<Other>();
        const QSignalSpy done(&other->session, &AuditSession::opened);
        other->session.open(savedAudit(file("audit.assay")));
        if (!QTest::qWaitFor([&] { return done.count() == 1 || !other->session.jobs()->isRunning(); }, 30000))
            return nullptr;
        return other;
    }
    std::string specOf(const char* name, const test::Matrix& matrix) const {
        const std::string file = this->file(name).toStdString();
        writeNpy(file, npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return file;
    }
};

void SavedAuditTest::init() {
    QVERIFY(makeWindow());
    AuditFiles files;
    files.real = QString::fromStdString(specOf("real.npy", test::gaussian(120, 5, 1)));
    files.models = {{"first", QString::fromStdString(specOf("first.npy", test::gaussian(110, 5, 2)))},
                    {"second", QString::fromStdString(specOf("second.npy", test::gaussian(100, 5, 3, 0.5F)))}};
    const QSignalSpy opened(session_, &AuditSession::opened);
    session_->open(files);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
}

void SavedAuditTest::everyDecisionComesBack() {
    session_->editor()->setModel(1);
    setRules({{"fidelity", Bound::AtLeast, 0.2}});
    selection_->replace({{syntheticSet(1), 3}, {syntheticSet(1), 4}});
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    session_->editor()->toggleTag(7);
    session_->editor()->judge({{syntheticSet(1), 8}, {syntheticSet(0), 8}}, HandVerdict::Accepted);
    session_->editor()->judge({{syntheticSet(1), 9}}, HandVerdict::Unsure);
    session_->editor()->setNote({syntheticSet(1), 9}, QStringLiteral("two left hands"));
    session_->editor()->nameTag(7, QStringLiteral("hands"));
    selection_->replace({{SetId::Real, 5}});
    session_->editor()->toggleTag(2);
    session_->editor()->showOnlySelected();
    ViewFilter filter = state().filter;
    filter.text = QStringLiteral("5");
    filter.range = ViewFilter::Range{"fidelity", 0.1, 0.9};
    session_->editor()->setFilter(filter);
    save();
    QCOMPARE(session_->document()->auditFile(), file("audit.assay"));
    QVERIFY(window_->windowTitle().contains(QStringLiteral("audit.assay")));
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    const ViewState& before = state();
    const ViewState& after = other->session.state();
    QCOMPARE(after.model, std::size_t{1});
    QCOMPARE(other->session.document()->rules(), session_->document()->rules());
    QCOMPARE(other->session.document()->keptCount(), session_->document()->keptCount());
    QVERIFY(after.filter == before.filter);
    QVERIFY(*after.tags == *before.tags);
    QCOMPARE(*after.rejectedByHand, *before.rejectedByHand);
    QVERIFY(after.isAccepted({syntheticSet(1), 8}) && *after.accepted == *before.accepted);
    QVERIFY(after.isUnsure({syntheticSet(1), 9}) && *after.unsure == *before.unsure);
    QCOMPARE(after.noteOf({syntheticSet(1), 9}), std::string("two left hands"));
    QCOMPARE(after.tagName(7), std::string("hands"));
    QCOMPARE(*after.kept, *before.kept);
    QVERIFY(other->selection.samples() == selection_->samples());
    QCOMPARE(after.current().metric("clipped_density"), before.current().metric("clipped_density"));
    QVERIFY(!other->session.document()->undoGroup()->canUndo());
}

void SavedAuditTest::closingDoesNotAskAnyMore() {
    setRules({{"fidelity", Bound::AtLeast, 0.2}});
    QVERIFY(session_->hasUnsavedDecisions());
    save();
    setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QVERIFY(!session_->hasUnsavedDecisions());
    window_->close();
    QVERIFY(!window_->isVisible());
}

void SavedAuditTest::laterChangesAreKeptByThemselves() {
    save();
    setRules({{"fidelity", Bound::AtLeast, 0.4}});
    const auto kept = [this] { return readDecisions(file("audit.assay").toStdString(), *state().audit).rules; };
    QTRY_COMPARE(kept(), session_->document()->rules());
    session_->document()->undoGroup()->undo();
    QTRY_COMPARE(kept(), FilterRules{});
    // What has just been decided is written at the latest when the window goes.
    setRules({{"fidelity", Bound::AtLeast, 0.6}});
    session_->keepNow();
    QCOMPARE(kept(), session_->document()->rules());
}

void SavedAuditTest::aSecondWindowDoesNotWrite() {
    save();
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    QVERIFY(other->session.keepingProblem().contains(QStringLiteral("another window")));
    other->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.9}});
    QVERIFY(other->session.hasUnsavedDecisions());
    other->session.keepNow();
    QVERIFY(readDecisions(file("audit.assay").toStdString(), *state().audit).rules.empty());
    QVERIFY(session_->keepingProblem().isEmpty());
}

void SavedAuditTest::addedModelsAreInTheFile() {
    save();
    setRules({{"fidelity", Bound::AtLeast, 0.4}});
    const QSignalSpy exported(session_, &AuditSession::exported);
    session_->addModels({{"third", QString::fromStdString(specOf("third.npy", test::gaussian(90, 5, 4)))}});
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
    session_->keepNow();
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    QCOMPARE(other->session.state().audit->models.size(), std::size_t{3});
    QCOMPARE(other->session.document()->rules(), session_->document()->rules());
}

void SavedAuditTest::aFileThatIsGoneIsTold() {
    save();
    QVERIFY(QFile::remove(file("audit.assay")));
    const QSignalSpy failed(session_, &AuditSession::failed);
    setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().back().toString().contains(QStringLiteral("audit.assay")));
    QVERIFY(session_->hasUnsavedDecisions()); // closing asks again
    save();
    QVERIFY(!session_->hasUnsavedDecisions());
}

void SavedAuditTest::oneThatIsRefusedChangesNothing() {
    QFile none(file("none.assay"));
    QVERIFY(none.open(QIODevice::WriteOnly));
    none.write("no audit");
    none.close();
    const auto before = state().audit;
    const QSignalSpy failed(session_, &AuditSession::failed);
    session_->open(savedAudit(file("none.assay")));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().back().toString().contains(QStringLiteral("expected an audit file of Assay")));
    QCOMPARE(state().audit, before);
}

ASSAY_TEST(saved_audit_test, SavedAuditTest)
#include "saved_audit_test.moc"
