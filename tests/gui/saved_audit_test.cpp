// An audit that is saved keeps every decision by itself, and comes back as it was left.
#include "engine/io/numpy/npy_writer.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class SavedAuditTest : public QObject {
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
    QString path(const char* name) const { return demo_->file(QString::fromLatin1(name)); }
    void save() {
        const QSignalSpy exported(&demo_->session, &AuditSession::exported);
        demo_->session.saveAudit(path("audit.assay"));
        QTRY_COMPARE(exported.count(), 1);
    }
    /// A second program on the same file.
    struct Other {
        SampleSelection selection;
        AuditSession session{&selection};
    };
    std::unique_ptr<Other> opened() const {
        auto other = std::make_unique<Other>();
        AuditFiles files;
        files.audit = path("audit.assay");
        const QSignalSpy done(&other->session, &AuditSession::opened);
        other->session.open(files);
        if (!QTest::qWaitFor([&] { return done.count() == 1 || !other->session.jobs()->isRunning(); }, 30000))
            return nullptr;
        return other;
    }
    std::string specOf(const char* name, const test::Matrix& matrix) const {
        const std::string file = path(name).toStdString();
        writeNpy(file, npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return file;
    }

    std::unique_ptr<test::DemoWindow> demo_;
};

void SavedAuditTest::init() {
    demo_.reset();
    demo_ = std::make_unique<test::DemoWindow>();
    AuditFiles files;
    files.real = QString::fromStdString(specOf("real.npy", test::gaussian(120, 5, 1)));
    files.models = {{"first", QString::fromStdString(specOf("first.npy", test::gaussian(110, 5, 2)))},
                    {"second", QString::fromStdString(specOf("second.npy", test::gaussian(100, 5, 3, 0.5F)))}};
    const QSignalSpy opened(&demo_->session, &AuditSession::opened);
    demo_->session.open(files);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
}

void SavedAuditTest::everyDecisionComesBack() {
    AuditSession& session = demo_->session;
    session.editor()->setModel(1);
    session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    demo_->selection.replace({{syntheticSet(1), 3}, {syntheticSet(1), 4}});
    session.editor()->toggleByHand(HandVerdict::Rejected);
    session.editor()->toggleTag(7);
    session.editor()->judge({{syntheticSet(1), 8}, {syntheticSet(0), 8}}, HandVerdict::Accepted);
    session.editor()->judge({{syntheticSet(1), 9}}, HandVerdict::Unsure);
    session.editor()->setNote({syntheticSet(1), 9}, QStringLiteral("two left hands"));
    session.editor()->nameTag(7, QStringLiteral("hands"));
    demo_->selection.replace({{SetId::Real, 5}});
    session.editor()->toggleTag(2);
    session.editor()->showOnlySelected();
    ViewFilter filter = session.state().filter;
    filter.text = QStringLiteral("5");
    filter.range = ViewFilter::Range{"fidelity", 0.1, 0.9};
    session.editor()->setFilter(filter);
    save();
    QCOMPARE(session.document()->auditFile(), path("audit.assay"));
    QVERIFY(demo_->window.windowTitle().contains(QStringLiteral("audit.assay")));
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    const ViewState& before = session.state();
    const ViewState& after = other->session.state();
    QCOMPARE(after.model, std::size_t{1});
    QCOMPARE(other->session.document()->rules(), session.document()->rules());
    QCOMPARE(other->session.document()->keptCount(), session.document()->keptCount());
    QVERIFY(after.filter == before.filter);
    QVERIFY(*after.tags == *before.tags);
    QCOMPARE(*after.byHand, *before.byHand);
    QVERIFY(after.isAccepted({syntheticSet(1), 8}) && *after.accepted == *before.accepted);
    QVERIFY(after.isUnsure({syntheticSet(1), 9}) && *after.unsure == *before.unsure);
    QCOMPARE(after.noteOf({syntheticSet(1), 9}), std::string("two left hands"));
    QCOMPARE(after.tagName(7), std::string("hands"));
    QCOMPARE(*after.kept, *before.kept);
    QVERIFY(other->selection.samples() == demo_->selection.samples());
    QCOMPARE(after.current().metric("clipped_density"), before.current().metric("clipped_density"));
    QVERIFY(!other->session.document()->undoGroup()->canUndo());
}

void SavedAuditTest::closingDoesNotAskAnyMore() {
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    QVERIFY(demo_->session.hasUnsavedDecisions());
    save();
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QVERIFY(!demo_->session.hasUnsavedDecisions());
    demo_->window.close();
    QVERIFY(!demo_->window.isVisible());
}

void SavedAuditTest::laterChangesAreKeptByThemselves() {
    save();
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.4}});
    const auto kept = [this] {
        return readDecisions(path("audit.assay").toStdString(), *demo_->session.state().audit).rules;
    };
    QTRY_COMPARE(kept(), demo_->session.document()->rules());
    demo_->session.document()->undoGroup()->undo();
    QTRY_COMPARE(kept(), FilterRules{});
    // What has just been decided is written at the latest when the window goes.
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.6}});
    demo_->session.keepNow();
    QCOMPARE(kept(), demo_->session.document()->rules());
}

void SavedAuditTest::aSecondWindowDoesNotWrite() {
    save();
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    QVERIFY(other->session.keepingProblem().contains(QStringLiteral("another window")));
    other->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.9}});
    QVERIFY(other->session.hasUnsavedDecisions());
    other->session.keepNow();
    QVERIFY(readDecisions(path("audit.assay").toStdString(), *demo_->session.state().audit).rules.empty());
    QVERIFY(demo_->session.keepingProblem().isEmpty());
}

void SavedAuditTest::addedModelsAreInTheFile() {
    save();
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.4}});
    const QSignalSpy exported(&demo_->session, &AuditSession::exported);
    demo_->session.addModels({{"third", QString::fromStdString(specOf("third.npy", test::gaussian(90, 5, 4)))}});
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
    demo_->session.keepNow();
    const auto other = opened();
    QVERIFY(other && other->session.isOpen());
    QCOMPARE(other->session.state().audit->models.size(), std::size_t{3});
    QCOMPARE(other->session.document()->rules(), demo_->session.document()->rules());
}

void SavedAuditTest::aFileThatIsGoneIsTold() {
    save();
    QVERIFY(QFile::remove(path("audit.assay")));
    const QSignalSpy failed(&demo_->session, &AuditSession::failed);
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.4}});
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().back().toString().contains(QStringLiteral("audit.assay")));
    QVERIFY(demo_->session.hasUnsavedDecisions()); // closing asks again
    save();
    QVERIFY(!demo_->session.hasUnsavedDecisions());
}

void SavedAuditTest::oneThatIsRefusedChangesNothing() {
    QFile none(path("none.assay"));
    QVERIFY(none.open(QIODevice::WriteOnly));
    none.write("no audit");
    none.close();
    const auto before = demo_->session.state().audit;
    const QSignalSpy failed(&demo_->session, &AuditSession::failed);
    AuditFiles files;
    files.audit = path("none.assay");
    demo_->session.open(files);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().back().toString().contains(QStringLiteral("expected an audit file of Assay")));
    QCOMPARE(demo_->session.state().audit, before);
}

ASSAY_TEST(saved_audit_test, SavedAuditTest)
#include "saved_audit_test.moc"
