#include "gui/audit_session.h"
#include "tests/gui/support/fake_engine.h"
#include "widgets/sample_selection.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

const FilterRules kHalf{{"fidelity", Bound::AtLeast, 0.5}};

AuditFiles twoModels() {
    AuditFiles files;
    files.real = QStringLiteral("/data/real.npz");
    files.models = {{QStringLiteral("gan"), QStringLiteral("/data/gan.npz")},
                    {QStringLiteral("vae"), QStringLiteral("/data/vae.npz")}};
    files.options.k = 3;
    return files;
}

SampleId sample(std::size_t model, std::uint32_t row) {
    return {syntheticSet(model), row};
}

} // namespace

class AuditSessionTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void opensFilesAndTellsEveryone();
    void opensTheDemo();
    void showsTheFirstModelWhileTheSecondIsScored();
    void keepsDecisionsMadeDuringScoring();
    void failureLeavesTheOldAuditAsItWas_data();
    void failureLeavesTheOldAuditAsItWas();
    void failureWithoutAnOldAuditLeavesNothingOpen();
    void cancelLeavesTheOldAuditAsItWas();
    void openingAnotherSupersedesTheOneBeingOpened();
    void addsModelsWithTheAuditsOwnOptions();
    void refusesToAddWhileBusyOrEmpty();
    void computesCurvesOnDemand();
    void rulesDecideWhatIsKept();
    void rulesHoldForEveryModel();
    void refusesRulesThatDoNotFit();
    void everyEditCanBeUndone();
    void draggingIsOneUndoStep();
    void choosingAModelDropsSamplesOfTheOldOne();
    void stepsThroughModelsRoundAndRound();
    void newAuditHasAHistoryOfItsOwn();
    void selectsByScore();
    void invertsWithinTheModel();
    void exportsKeptAndRejected();
    void exportFailureIsReported();

private:
    void openAndWait(const AuditFiles& files = twoModels());
    void waitIdle() { QTRY_VERIFY(!session_->isBusy()); }

    std::unique_ptr<FakeEngine> engine_;
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<AuditSession> session_;
};

void AuditSessionTest::init() {
    engine_ = std::make_unique<FakeEngine>();
    selection_ = std::make_unique<SampleSelection>();
    session_ = std::make_unique<AuditSession>(selection_.get(), engine_->calls());
}

void AuditSessionTest::cleanup() {
    session_.reset(); // its worker uses the others
    selection_.reset();
    engine_.reset();
}

void AuditSessionTest::openAndWait(const AuditFiles& files) {
    session_->open(files);
    waitIdle();
    QVERIFY(session_->state().hasModel());
}

void AuditSessionTest::opensFilesAndTellsEveryone() {
    QSignalSpy states(session_.get(), &AuditSession::stateChanged);
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
    QCOMPARE(session_->keptCount(), std::size_t{10});
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
    QVERIFY(!session_->files());
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

void AuditSessionTest::keepsDecisionsMadeDuringScoring() {
    engine_->hold = true;
    session_->open(twoModels());
    QTRY_VERIFY(session_->isOpen());
    session_->setRules(kHalf);
    selection_->select(sample(0, 4));
    engine_->hold = false;
    waitIdle();
    QCOMPARE(session_->rules(), kHalf);
    QVERIFY(selection_->contains(sample(0, 4)));
    session_->undoGroup()->undo();
    QVERIFY(selection_->isEmpty());
}

void AuditSessionTest::failureLeavesTheOldAuditAsItWas_data() {
    QTest::addColumn<bool>("afterPartial");
    QTest::newRow("while reading") << false;
    QTest::newRow("after the first model was shown") << true;
}

void AuditSessionTest::failureLeavesTheOldAuditAsItWas() {
    QFETCH(bool, afterPartial);
    openAndWait();
    session_->setRules(kHalf);
    session_->setModel(1);
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
    QCOMPARE(session_->rules(), kHalf);
    QCOMPARE(session_->keptCount(), std::size_t{5});
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(1, 2)}));
    QCOMPARE(session_->files()->real, twoModels().real);
    session_->undoGroup()->undo(); // its history is intact as well
    QVERIFY(selection_->isEmpty());
    session_->undoGroup()->undo();
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
    QVERIFY(!session_->undoGroup()->canUndo());
}

void AuditSessionTest::cancelLeavesTheOldAuditAsItWas() {
    openAndWait();
    const auto audit = session_->state().audit;
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    engine_->hold = true;
    session_->openDemo();
    QTRY_COMPARE(session_->state().audit->real->set->name(), std::string("demo"));
    QElapsedTimer clock;
    clock.start();
    session_->cancel();
    waitIdle();
    QVERIFY2(clock.elapsed() < 100, qPrintable(QString::number(clock.elapsed())));
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
    QVERIFY(!session_->files());
}

void AuditSessionTest::addsModelsWithTheAuditsOwnOptions() {
    openAndWait();
    const auto first = session_->state().audit->models[0];
    session_->setRules(kHalf);
    session_->addModels({{QStringLiteral("copycat"), QStringLiteral("/data/copycat.npz")}});
    waitIdle();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{3});
    QCOMPARE(session_->state().audit->models[0], first); // shared, not computed again
    QCOMPARE(engine_->audited.load(), 3);
    QCOMPARE(engine_->options.k, std::size_t{3});
    QCOMPARE(session_->files()->models.size(), std::size_t{3});
    QCOMPARE(session_->rules(), kHalf);
    session_->undoGroup()->undo();
    QVERIFY(session_->rules().empty());
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
    session_->setRules(kHalf);
    const auto before = session_->state().audit;
    session_->computeCurves(request);
    waitIdle();
    QVERIFY(before->curves.empty());
    QCOMPARE(session_->state().audit->curves.size(), std::size_t{1});
    QCOMPARE(session_->state().audit->models, before->models);
    QCOMPARE(session_->rules(), kHalf);
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

void AuditSessionTest::rulesDecideWhatIsKept() {
    openAndWait();
    session_->setRules({{"fidelity", Bound::AtLeast, 0.2}, {"authentic", Bound::AtLeast, 1.0}});
    const ViewState& state = session_->state();
    QVERIFY(state.kept);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < 10; ++row)
        if (state.isKept(row))
            kept.push_back(row);
    QCOMPARE(kept, (std::vector<std::size_t>{2, 4, 5, 6, 7, 8, 9}));
    QCOMPARE(session_->keptCount(), std::size_t{7});
    QCOMPARE(session_->rejectedCount(), std::size_t{3});
    session_->setRules({});
    QVERIFY(!session_->state().kept);
}

void AuditSessionTest::rulesHoldForEveryModel() {
    openAndWait();
    session_->setRules(kHalf);
    session_->setModel(1);
    QVERIFY(session_->state().kept);
    QVERIFY(!session_->state().isKept(4));
    QVERIFY(session_->state().isKept(5));
}

void AuditSessionTest::refusesRulesThatDoNotFit() {
    openAndWait();
    session_->setRules(kHalf);
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->setRules({{"no_such_column", Bound::AtMost, 1.0}});
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][1].toString().contains(QStringLiteral("no_such_column")));
    QCOMPARE(session_->rules(), kHalf);
}

void AuditSessionTest::everyEditCanBeUndone() {
    openAndWait();
    QUndoGroup* undo = session_->undoGroup();
    QVERIFY(!undo->canUndo());
    session_->setRules(kHalf);
    selection_->select(sample(0, 3));
    selection_->toggle(sample(0, 5));
    session_->setModel(1);
    QCOMPARE(undo->activeStack()->count(), 4);

    undo->undo();
    QCOMPARE(session_->state().model, std::size_t{0});
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 3), sample(0, 5)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 5)));
    undo->undo();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 3)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 3)));
    undo->undo();
    QVERIFY(selection_->isEmpty());
    QCOMPARE(session_->rules(), kHalf);
    QSignalSpy rules(session_.get(), &AuditSession::rulesChanged);
    undo->undo();
    QVERIFY(session_->rules().empty());
    QCOMPARE(rules.size(), 1);
    QVERIFY(!session_->state().kept);
    QVERIFY(!undo->canUndo());

    for (int i = 0; i < 4; ++i)
        undo->redo();
    QCOMPARE(session_->rules(), kHalf);
    QCOMPARE(session_->state().model, std::size_t{1});
    QVERIFY(selection_->isEmpty());
    // Telling the session what it already shows is no edit.
    session_->setRules(kHalf);
    session_->setModel(1);
    selection_->clear();
    QCOMPARE(undo->activeStack()->count(), 4);
}

void AuditSessionTest::draggingIsOneUndoStep() {
    openAndWait();
    QWidget slider;
    const auto drag = [&](std::initializer_list<double> values) {
        QTest::mousePress(&slider, Qt::LeftButton);
        for (const double value : values)
            session_->setRules({{"fidelity", Bound::AtLeast, value}});
        QTest::mouseRelease(&slider, Qt::LeftButton);
    };
    drag({0.1, 0.2, 0.3});
    drag({0.4, 0.5});
    QUndoStack* stack = session_->undoGroup()->activeStack();
    QCOMPARE(stack->count(), 2);
    stack->undo();
    QCOMPARE(session_->rules().at(0).value, 0.3);
    stack->undo();
    QVERIFY(session_->rules().empty());
    stack->redo();
    QCOMPARE(session_->rules().at(0).value, 0.3);
    QCoreApplication::processEvents(); // the last release is over
    session_->setRules(kHalf);
    session_->setRules({});
    QCOMPARE(stack->count(), 3); // without a button held, each edit counts
}

void AuditSessionTest::choosingAModelDropsSamplesOfTheOldOne() {
    openAndWait();
    const SampleId real{SetId::Real, 7};
    selection_->replace({real, sample(0, 1)}, sample(0, 1));
    session_->setModel(1);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real}));
    session_->undoGroup()->undo();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{real, sample(0, 1)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 1)));
}

void AuditSessionTest::stepsThroughModelsRoundAndRound() {
    session_->stepModel(1); // nothing is open: nothing happens
    openAndWait();
    session_->stepModel(1);
    QCOMPARE(session_->state().model, std::size_t{1});
    session_->stepModel(1);
    QCOMPARE(session_->state().model, std::size_t{0});
    session_->stepModel(-1);
    QCOMPARE(session_->state().model, std::size_t{1});
    session_->setModel(99);
    QCOMPARE(session_->state().model, std::size_t{1});
}

void AuditSessionTest::newAuditHasAHistoryOfItsOwn() {
    openAndWait();
    session_->setRules(kHalf);
    selection_->select(sample(0, 3));
    session_->openDemo();
    waitIdle();
    QVERIFY(selection_->isEmpty());
    QVERIFY(session_->rules().empty());
    QVERIFY(!session_->undoGroup()->canUndo());
}

void AuditSessionTest::selectsByScore() {
    openAndWait();
    session_->selectUnauthentic();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 1), sample(0, 3)}));
    session_->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    session_->selectRejected();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 0), sample(0, 1)}));
}

void AuditSessionTest::invertsWithinTheModel() {
    openAndWait();
    selection_->replace({{SetId::Real, 2}, sample(0, 0), sample(0, 9)});
    session_->invertSelection();
    QCOMPARE(selection_->samples().size(), std::size_t{8});
    QCOMPARE(selection_->samples().front(), sample(0, 1));
    QCOMPARE(selection_->samples().back(), sample(0, 8));
}

void AuditSessionTest::exportsKeptAndRejected() {
    openAndWait();
    session_->setRules(kHalf);
    const QTemporaryDir folder;
    const QString ids = folder.filePath(QStringLiteral("kept.txt"));
    const QString csv = folder.filePath(QStringLiteral("rejected.csv"));
    QSignalSpy exported(session_.get(), &AuditSession::exported);
    session_->exportSamples(ExportWhat::Kept, ExportFormat::Ids, ids);
    QVERIFY(exported.wait(2000));
    session_->exportSamples(ExportWhat::Rejected, ExportFormat::Csv, csv);
    QVERIFY(exported.wait(2000));
    QFile idFile(ids);
    QVERIFY(idFile.open(QIODevice::ReadOnly));
    QCOMPARE(idFile.readAll(), QByteArray("5\n6\n7\n8\n9\n"));
    QFile csvFile(csv);
    QVERIFY(csvFile.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csvFile.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 6);
    QVERIFY(lines[0].startsWith("row,id,label,"));
    QVERIFY(lines[1].endsWith("fidelity 0 < 0.5"));
}

void AuditSessionTest::exportFailureIsReported() {
    openAndWait();
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->exportSamples(ExportWhat::Kept, ExportFormat::Csv, QStringLiteral("/no/such/folder/kept.csv"));
    QVERIFY(failed.wait(2000));
    QVERIFY(failed[0][1].toString().contains(QStringLiteral("/no/such/folder/kept.csv")));
    QVERIFY(session_->isOpen());
}

QTEST_MAIN(AuditSessionTest)
#include "audit_session_test.moc"
