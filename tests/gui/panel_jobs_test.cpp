// What panels ask for is worked out in the background, and said where it does not come.
#include "gui/jobs/panel_jobs.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_listing.h"
#include "widgets/ranking/ranking_model.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include <algorithm>
#include <atomic>

using namespace assay;

namespace {

/// A panel with one question.
class Asking : public LinkedView {
    Q_OBJECT

public:
    using LinkedView::LinkedView;
    void show(std::shared_ptr<const int> answer) { answers.push_back(*answer); }
    std::vector<int> answers;

signals:
    void wanted(int number);

protected:
    void stateChanged(const ViewState&) override {}
};

/// An answer that never comes.
std::shared_ptr<const int> waitForStop(int /*number*/, const JobContext& job) {
    while (true) {
        job.throwIfStopped();
        QThread::msleep(1);
    }
}

} // namespace

class PanelJobsTest : public QObject {
    Q_OBJECT

private slots:
    void theNewestRequestIsAnswered();
    void aFailureIsSaidAndTriedAgain();
    void aStoppedRequestIsSaid();
    void anotherModelEndsTheProblem();
    void aPanelMayGoWhileItsRequestRuns();
    void theLastOrderOfARankingIsShown();
};

void PanelJobsTest::theNewestRequestIsAnswered() {
    SampleSelection selection;
    Asking panel(&selection, nullptr);
    PanelJobs jobs;
    jobs.answer(
        &panel, &panel, &Asking::wanted, QStringLiteral("Counting"),
        [](int number, const JobContext&) { return std::make_shared<const int>(10 * number); }, &Asking::show);
    for (int number = 1; number <= 50; ++number)
        emit panel.wanted(number);
    QVERIFY(jobs.isRunning());
    QTRY_VERIFY(!jobs.isRunning());
    QCOMPARE(panel.answers, (std::vector<int>{500}));
    QVERIFY(panel.findChild<QWidget*>(QStringLiteral("panelProblem")) == nullptr);
}

void PanelJobsTest::aFailureIsSaidAndTriedAgain() {
    SampleSelection selection;
    Asking panel(&selection, nullptr);
    panel.resize(300, 200);
    panel.QWidget::show();
    PanelJobs jobs;
    std::atomic_int tries = 0;
    jobs.answer(
        &panel, &panel, &Asking::wanted, QStringLiteral("Counting"),
        [&](int number, const JobContext&) {
            if (++tries < 3)
                throw Error(ErrorKind::NotEnoughMemory, "no room");
            return std::make_shared<const int>(number);
        },
        &Asking::show);
    emit panel.wanted(7);
    const auto problem = [&] { return panel.findChild<QWidget*>(QStringLiteral("panelProblem")); };
    QTRY_VERIFY(problem() != nullptr && problem()->isVisible());
    QCOMPARE(problem()->findChild<QLabel*>()->text(), QStringLiteral("Counting failed: no room"));
    QCOMPARE(problem()->geometry().bottom(), panel.rect().bottom());
    auto* retry = panel.findChild<QPushButton*>(QStringLiteral("panelRetry"));
    QTest::mouseClick(retry, Qt::LeftButton);
    QVERIFY(!problem()->isVisible());
    QTRY_VERIFY(problem()->isVisible()); // it failed again
    QTest::keyClick(retry, Qt::Key_Space);
    QTRY_COMPARE(panel.answers, (std::vector<int>{7}));
    QVERIFY(!problem()->isVisible());
}

void PanelJobsTest::aStoppedRequestIsSaid() {
    SampleSelection selection;
    Asking panel(&selection, nullptr);
    panel.QWidget::show();
    PanelJobs jobs;
    jobs.answer(&panel, &panel, &Asking::wanted, QStringLiteral("Counting"), waitForStop, &Asking::show);
    emit panel.wanted(1);
    jobs.cancel();
    QTRY_VERIFY(!jobs.isRunning());
    auto* problem = panel.findChild<QWidget*>(QStringLiteral("panelProblem"));
    QVERIFY(problem != nullptr && problem->isVisible());
    QCOMPARE(problem->findChild<QLabel*>()->text(), QStringLiteral("Counting: stopped."));
}

void PanelJobsTest::anotherModelEndsTheProblem() {
    const auto audit = test::fakeAudit();
    SampleSelection selection;
    Asking panel(&selection, nullptr);
    panel.QWidget::show();
    panel.showState({audit, 0});
    panel.showProblem(QStringLiteral("no"), [] {});
    auto* problem = panel.findChild<QWidget*>(QStringLiteral("panelProblem"));
    ViewState filtered{audit, 0};
    filtered.filter.text = QStringLiteral("7");
    panel.showState(filtered);
    QVERIFY(problem->isVisible());
    panel.showState({audit, 1});
    QVERIFY(!problem->isVisible());
}

void PanelJobsTest::aPanelMayGoWhileItsRequestRuns() {
    SampleSelection selection;
    PanelJobs jobs;
    {
        Asking panel(&selection, nullptr);
        jobs.answer(&panel, &panel, &Asking::wanted, QStringLiteral("Counting"), waitForStop, &Asking::show);
        emit panel.wanted(1);
        QCOMPARE(jobs.runners().size(), std::size_t{1});
    }
    QVERIFY(jobs.runners().empty());
}

void PanelJobsTest::theLastOrderOfARankingIsShown() {
    constexpr std::size_t kRows = 60'000;
    const auto audit = test::hugeAudit(kRows, false);
    SampleSelection selection;
    Asking panel(&selection, nullptr);
    RankingModel model(&selection);
    PanelJobs jobs;
    jobs.answer(
        &panel, &model, &RankingModel::listingWanted, QStringLiteral("Ranking"),
        [](const std::shared_ptr<const ListingRequest>& request, const JobContext&) { return listSamples(*request); },
        &RankingModel::showListing);
    model.listLater(kRows - 1);
    model.setState({audit, 0, nullptr});
    model.setOrder({"nearest_real_distance", Qt::AscendingOrder});
    model.setOrder({"fidelity", Qt::AscendingOrder});
    model.setGrouping(RankingGrouping::Class);
    QCOMPARE(model.size(), std::size_t{0}); // nothing is waited for
    QVERIFY(model.isListing());
    QTRY_VERIFY(!model.isListing());
    QCOMPARE(model.size(), kRows);
    QCOMPARE(model.groups().size(), std::size_t{3});
    const auto& fidelity = audit->models[0]->column("fidelity");
    for (const SampleGroup& group : model.groups())
        for (std::size_t at = group.first + 1; at < group.first + group.count; ++at)
            QVERIFY(fidelity[model.sampleAt(at - 1).row] <= fidelity[model.sampleAt(at).row]);
}

ASSAY_TEST(panel_jobs_test, PanelJobsTest)
#include "panel_jobs_test.moc"
