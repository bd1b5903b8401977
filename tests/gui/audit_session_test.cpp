// Opening audits, adding to them, and what is shown of them.
#include "tests/gui/support/fake_session.h"
#include "tests/support/test_entry.h"

#include <QUndoStack>

using namespace assay;
using namespace assay::test;

namespace {

const FilterRules kHalf{{"fidelity", Bound::AtLeast, 0.5}};

} // namespace

class AuditSessionTest : public QObject, test::FakeSession {
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void opensFilesAndTellsEveryone();
    void opensTheDemo();
    void showsTheFirstModelWhileTheSecondIsScored();
    void showsTheModelWithTheGravestFinding();
    void keepsDecisionsMadeDuringScoring();
    void failureLeavesTheOldAuditAsItWas_data() {
        test::addChoice("afterPartial", "while reading", "after the first model was shown");
    }
    void failureLeavesTheOldAuditAsItWas();
    void failureWithoutAnOldAuditLeavesNothingOpen();
    void cancelLeavesTheOldAuditAsItWas();
    void openingAnotherSupersedesTheOneBeingOpened();
    void addsModelsWithTheAuditsOwnOptions();
    void refusesToAddWhileBusyOrEmpty();
    void computesCurvesOnDemand();
    void judgesAgainOnDemand();
    void choosingAModelDropsSamplesOfTheOldOne();
    void stepsThroughModelsRoundAndRound();
};

void AuditSessionTest::opensFilesAndTellsEveryone() {
    QSignalSpy states(session_.get()->document(), &Document::stateChanged);
    int opened = 0;
    connect(session_.get(), &AuditSession::opened, this, [&](const AuditFiles& files) {
        ++opened;
        QCOMPARE(files.models, twoModels().models);
    });
    QVERIFY(!session_->isOpen());
    openAndWait();
    QVERIFY(session_->isOpen());
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
    QCOMPARE(session_->state().current().name, std::string("gan"));
    QCOMPARE(engine_->options.k, std::size_t{3});
    QVERIFY(!session_->state().kept);
    QCOMPARE(session_->document()->keptCount(), std::size_t{10});
    QCOMPARE(opened, 1);
    QVERIFY(!states.isEmpty());
}

void AuditSessionTest::opensTheDemo() {
    QSignalSpy opened(session_.get(), &AuditSession::opened);
    session_->openDemo();
    waitIdle();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
    QCOMPARE(session_->state().audit->models[1]->name, std::string("copies"));
    QCOMPARE(opened.size(), 0); // there are no files to remember
    QVERIFY(!session_->document()->files());
}

void AuditSessionTest::showsTheFirstModelWhileTheSecondIsScored() {
    engine_->hold = true;
    session_->open(twoModels());
    QTRY_VERIFY(session_->isOpen());
    QVERIFY(session_->isBusy());
    QCOMPARE(session_->state().audit->models.size(), std::size_t{1});
    QCOMPARE(session_->state().current().name, std::string("gan"));
    engine_->hold = false;
    waitIdle();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
}

void AuditSessionTest::showsTheModelWithTheGravestFinding() {
    engine_->copying = "vae";
    for (const bool acts : {false, true}) {
        engine_->hold = true;
        session_->open(twoModels());
        QTRY_VERIFY(session_->isBusy() && session_->isOpen() && session_->state().audit->models.size() == 1);
        QCOMPARE(session_->state().current().name, std::string("gan")); // as far as is known
        if (acts)
            selection_->select(sample(0, 4));
        engine_->hold = false;
        waitIdle();
        // Whoever has begun to look at a model goes on with it.
        QCOMPARE(session_->state().current().name, std::string(acts ? "gan" : "vae"));
        QVERIFY(acts || !session_->document()->undoGroup()->canUndo());
    }
    engine_->copying.clear();
}

void AuditSessionTest::keepsDecisionsMadeDuringScoring() {
    engine_->hold = true;
    session_->open(twoModels());
    QTRY_VERIFY(session_->isOpen());
    session_->editor()->setRules(kHalf);
    selection_->select(sample(0, 4));
    engine_->hold = false;
    waitIdle();
    QCOMPARE(session_->document()->rules(), kHalf);
    QVERIFY(selection_->contains(sample(0, 4)));
    session_->document()->undoGroup()->undo();
    QVERIFY(selection_->isEmpty());
}

void AuditSessionTest::failureLeavesTheOldAuditAsItWas() {
    QFETCH(bool, afterPartial);
    openAndWait();
    session_->editor()->setRules(kHalf);
    session_->editor()->setModel(1);
    selection_->select(sample(1, 2));
    const auto audit = session_->state().audit;

    QString message;
    bool oldStateWhenTold = false;
    connect(session_.get(), &AuditSession::failed, this, [&](const QString& title, const QString& text) {
        message = title + text;
        oldStateWhenTold = session_->state().audit == audit;
    });
    AuditFiles other = twoModels();
    other.real = QStringLiteral("/data/other.npz");
    engine_->failAudit = afterPartial;
    engine_->failReading = afterPartial ? "" : "/data/vae.npz";
    session_->open(other);
    waitIdle();
    QVERIFY2(message.contains(QStringLiteral("other.npz")), qPrintable(message));
    QVERIFY2(message.contains(QStringLiteral("vae")), qPrintable(message));
    QVERIFY(oldStateWhenTold);
    QCOMPARE(engine_->partials.load(), afterPartial ? 3 : 2);
    QCOMPARE(session_->state().audit, audit);
    QCOMPARE(session_->state().model, std::size_t{1});
    QCOMPARE(session_->document()->rules(), kHalf);
    QCOMPARE(session_->document()->keptCount(), std::size_t{5});
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(1, 2)}));
    QCOMPARE(session_->document()->files()->real, twoModels().real);
    session_->document()->undoGroup()->undo(); // its history is intact as well
    QVERIFY(selection_->isEmpty());
    session_->document()->undoGroup()->undo();
    QCOMPARE(session_->state().model, std::size_t{0});
}

void AuditSessionTest::failureWithoutAnOldAuditLeavesNothingOpen() {
    engine_->failAudit = true;
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->open(twoModels());
    waitIdle();
    QCOMPARE(failed.size(), 1);
    QVERIFY(!session_->isOpen());
    QVERIFY(!session_->state().audit);
    QVERIFY(!session_->document()->undoGroup()->canUndo());
}

void AuditSessionTest::cancelLeavesTheOldAuditAsItWas() {
    openAndWait();
    const auto audit = session_->state().audit;
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    engine_->hold = true;
    session_->openDemo();
    QTRY_COMPARE(session_->state().audit->real->set->name(), std::string("demo"));
    const int audited = engine_->audited;
    session_->cancel();
    waitIdle();
    QCOMPARE(engine_->audited.load(), audited); // the engine, still held, has stopped before its last model
    QCOMPARE(session_->state().audit, audit);
    QCOMPARE(failed.size(), 0);
    engine_->hold = false;
    session_->openDemo(); // and the program is still usable
    waitIdle();
    QCOMPARE(session_->state().audit->real->set->name(), std::string("demo"));
}

void AuditSessionTest::openingAnotherSupersedesTheOneBeingOpened() {
    engine_->hold = true;
    session_->open(twoModels());
    QTRY_VERIFY(session_->isOpen());
    session_->openDemo();
    QVERIFY(!session_->isOpen());
    engine_->hold = false;
    waitIdle();
    QCOMPARE(session_->state().audit->real->set->name(), std::string("demo"));
    QVERIFY(!session_->document()->files());
}

void AuditSessionTest::addsModelsWithTheAuditsOwnOptions() {
    openAndWait();
    const auto first = session_->state().audit->models[0];
    session_->editor()->setRules(kHalf);
    session_->addModels({{QStringLiteral("copycat"), QStringLiteral("/data/copycat.npz")}});
    waitIdle();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{3});
    QCOMPARE(session_->state().audit->models[0], first); // shared, not computed again
    QCOMPARE(engine_->audited.load(), 3);
    QCOMPARE(engine_->options.k, std::size_t{3});
    QCOMPARE(session_->document()->files()->models.size(), std::size_t{3});
    QCOMPARE(session_->document()->rules(), kHalf);
    session_->document()->undoGroup()->undo();
    QVERIFY(session_->document()->rules().empty());
    QCOMPARE(session_->state().audit->models.size(), std::size_t{3});
}

void AuditSessionTest::refusesToAddWhileBusyOrEmpty() {
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    const std::vector<ModelFile> more{{QStringLiteral("x"), QStringLiteral("/x.npz")}};
    session_->addModels(more);
    QCOMPARE(failed.size(), 1);
    engine_->hold = true;
    session_->open(twoModels());
    QTRY_VERIFY(session_->isOpen());
    session_->addModels(more);
    QCOMPARE(failed.size(), 2);
    engine_->hold = false;
    waitIdle();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
}

void AuditSessionTest::judgesAgainOnDemand() {
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->judgeAgain();
    QCOMPARE(failed.size(), 1); // nothing is open
    openAndWait();
    session_->editor()->setRules(kHalf);
    const auto before = session_->state().audit;
    session_->judgeAgain();
    waitIdle();
    QVERIFY(session_->state().audit->models[0] != before->models[0]);
    QCOMPARE(session_->state().audit->models[0]->name, before->models[0]->name);
    QCOMPARE(session_->document()->rules(), kHalf);
    QCOMPARE(engine_->options.k, std::size_t{3});
    QCOMPARE(session_->document()->history()->back().what, std::string("Judged again"));
}

void AuditSessionTest::computesCurvesOnDemand() {
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    std::vector<CurveRequest> started;
    connect(session_.get(), &AuditSession::curvesStarted, this,
            [&](const CurveRequest& accepted) { started.push_back(accepted); });
    CurveRequest request;
    request.sampleSize = true;
    session_->computeCurves(request);
    QCOMPARE(failed.size(), 1); // nothing is open
    QVERIFY(started.empty());
    openAndWait();
    session_->editor()->setRules(kHalf);
    const auto before = session_->state().audit;
    session_->computeCurves(request);
    waitIdle();
    QVERIFY(before->curves.empty());
    QCOMPARE(session_->state().audit->curves.size(), std::size_t{1});
    QCOMPARE(session_->state().audit->models, before->models);
    QCOMPARE(session_->document()->rules(), kHalf);
    QCOMPARE(engine_->options.k, std::size_t{3});
    session_->computeCurves({}); // asks for nothing
    QVERIFY(!session_->isBusy());
    QCOMPARE(started.size(), std::size_t{1});
    QVERIFY(started.back().sampleSize && !started.back().badFraction);
    session_->computeBadFraction(QStringLiteral("folder/bad.npy"));
    waitIdle();
    QCOMPARE(session_->state().audit->curves.back().note, std::string("bad"));
    QCOMPARE(started.size(), std::size_t{2});
    QVERIFY(started.back().badFraction && !started.back().sampleSize);
    engine_->hold = true;
    session_->computeCurves(request);
    session_->computeCurves(request);
    QCOMPARE(failed.size(), 2);
    QCOMPARE(started.size(), std::size_t{3}); // not the one that was refused
    session_->cancel();
    waitIdle();
    QCOMPARE(session_->state().audit->curves.size(), std::size_t{2});
}

void AuditSessionTest::choosingAModelDropsSamplesOfTheOldOne() {
    openAndWait();
    const SampleId real{SetId::Real, 7};
    selection_->replace({real, sample(0, 1)}, sample(0, 1));
    session_->editor()->setModel(1);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real}));
    session_->document()->undoGroup()->undo();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real, sample(0, 1)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 1)));
}

void AuditSessionTest::stepsThroughModelsRoundAndRound() {
    session_->editor()->stepModel(1); // nothing is open: nothing happens
    openAndWait();
    session_->editor()->stepModel(1);
    QCOMPARE(session_->state().model, std::size_t{1});
    session_->editor()->stepModel(1);
    QCOMPARE(session_->state().model, std::size_t{0});
    session_->editor()->stepModel(-1);
    QCOMPARE(session_->state().model, std::size_t{1});
    session_->editor()->setModel(99);
    QCOMPARE(session_->state().model, std::size_t{1});
}

ASSAY_TEST(audit_session_test, AuditSessionTest)
#include "audit_session_test.moc"
