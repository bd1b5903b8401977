// What holds of every panel: a new one is tested here by its row in the catalogue.
#include "gui/jobs/panel_jobs.h"
#include "gui/window/panel_catalog.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/test_host.h"
#include "tests/widgets/support/useful_audit.h"
#include "widgets/link/panel_pages.h"

#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace assay;

namespace {

/// What becomes of requests.
enum class Fate { Answered, Failed, Waiting };

/// A host that works requests out as the program does, unless they are to fail or to wait.
struct ContractHost : test::TestHost {
    void request(Panel* panel, const PanelRequest& request) override {
        PanelRequest changed = request;
        changed.work = [this, work = request.work](const JobContext& job) -> std::shared_ptr<const void> {
            if (fate == Fate::Failed)
                throw Error(ErrorKind::NotEnoughMemory, "no room");
            while (fate == Fate::Waiting) {
                job.throwIfStopped();
                QThread::msleep(1);
            }
            return work(job);
        };
        ++asked;
        jobs.request(panel, changed);
    }
    std::atomic<Fate> fate = Fate::Answered;
    int asked = 0;
    PanelJobs jobs;
};

/// A panel of the catalogue in a window of its own.
struct ShownPanel {
    ContractHost host;
    std::unique_ptr<Panel> panel;

    explicit ShownPanel(const QString& id, QSize size = {640, 480}) {
        const std::vector<PanelRow> rows = panelCatalog();
        panel.reset(std::ranges::find(rows, id, &PanelRow::id)->make(host));
        panel->resize(size);
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
    }
    void show(std::size_t model, const test::UsefulOptions& options = {}) const {
        panel->showState({test::usefulAudit(options), model});
        settle();
    }
    void settle() const {
        QTRY_VERIFY(!host.jobs.isRunning() || host.fate == Fate::Waiting);
        QCoreApplication::processEvents();
        panel->grab();
    }
    /// How narrow it can be.
    int least() const {
        const int parts = panel->layout() != nullptr ? panel->layout()->minimumSize().width() : 0;
        return std::max(parts, panel->minimumSizeHint().width());
    }
    /// What stands in place of the content; empty while that is shown.
    QString message() const {
        const auto* page = panel->findChild<MessagePage*>();
        return page != nullptr && page->isVisible() ? page->text() : QString();
    }
    QWidget* problem() const { return panel->findChild<QWidget*>(QStringLiteral("panelProblem")); }
    bool hasProblem() const { return problem() != nullptr && problem()->isVisible(); }
    /// The texts that a person reads in it, in order.
    QStringList texts() const {
        QStringList all;
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->isVisible())
                all << label->text();
        return all;
    }
};

} // namespace

class PanelContractTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void idsAndKeysAreUnique();
    void saysWhatWouldBeThere_data() { panels(); }
    void saysWhatWouldBeThere();
    void showsAnotherModel_data() { panels(); }
    void showsAnotherModel();
    void catchesUpWhenItIsWatchedAgain_data() { panels(); }
    void catchesUpWhenItIsWatchedAgain();
    void aFailedRequestIsSaidAndTriedAgain_data() { panels(); }
    void aFailedRequestIsSaidAndTriedAgain();
    void aCancelledRequestIsSaid_data() { panels(); }
    void aCancelledRequestIsSaid();
    void longNamesDoNotWidenIt_data() { panels(); }
    void longNamesDoNotWidenIt();
    void keepsWhatWasChosen_data() { panels(); }
    void keepsWhatWasChosen();

private:
    static void panels() {
        QTest::addColumn<QString>("id");
        for (const PanelRow& row : panelCatalog())
            QTest::newRow(qPrintable(row.id)) << row.id;
    }
};

void PanelContractTest::idsAndKeysAreUnique() {
    QSet<QString> ids;
    QSet<QString> keys;
    QSet<QString> titles;
    for (const PanelRow& row : panelCatalog()) {
        QVERIFY2(!ids.contains(row.id) && !keys.contains(row.key) && !titles.contains(row.title), qPrintable(row.id));
        ids << row.id;
        titles << row.title;
        if (!row.key.isEmpty())
            keys << row.key;
    }
}

void PanelContractTest::saysWhatWouldBeThere() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    const auto isEmpty = [&] {
        return shown.message().contains(QStringLiteral("Open a real and a synthetic set to begin.")) ||
               shown.texts().join(QLatin1Char(' ')).contains(QStringLiteral("Open a real"));
    };
    QVERIFY2(isEmpty(), qPrintable(shown.texts().join(QLatin1Char('|'))));
    shown.show(0);
    QVERIFY(!isEmpty());
    QVERIFY(!shown.hasProblem());
    shown.panel->showState({});
    QVERIFY(isEmpty());
    QVERIFY(!shown.panel->figure());
}

void PanelContractTest::showsAnotherModel() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    shown.show(0);
    shown.show(1);
    ShownPanel fresh(id);
    fresh.show(1);
    QCOMPARE(shown.message(), fresh.message());
    QCOMPARE(shown.texts(), fresh.texts()); // nothing of the model before is left
}

void PanelContractTest::catchesUpWhenItIsWatchedAgain() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    shown.show(0);
    shown.panel->setWatched(false);
    const int asked = shown.host.asked;
    shown.show(1);
    shown.host.selection()->select({syntheticSet(1), 3});
    QCOMPARE(shown.panel->state().model, std::size_t{0});
    QCOMPARE(shown.host.asked, asked); // nothing is worked out for nobody
    shown.panel->setWatched(true);
    shown.settle();
    ShownPanel fresh(id);
    fresh.show(1);
    fresh.host.selection()->select({syntheticSet(1), 3});
    fresh.settle();
    QCOMPARE(shown.texts(), fresh.texts());
}

void PanelContractTest::aFailedRequestIsSaidAndTriedAgain() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    shown.host.fate = Fate::Failed;
    shown.show(0);
    if (shown.host.asked == 0)
        return; // it asks for nothing
    QTRY_VERIFY(shown.hasProblem());
    QVERIFY(shown.problem()->findChild<QLabel*>()->text().contains(QStringLiteral("no room")));
    shown.host.fate = Fate::Answered;
    QTest::mouseClick(shown.panel->findChild<QPushButton*>(QStringLiteral("panelRetry")), Qt::LeftButton);
    shown.settle();
    QVERIFY(!shown.hasProblem());
    ShownPanel fresh(id);
    fresh.show(0);
    QCOMPARE(shown.texts(), fresh.texts());
}

void PanelContractTest::aCancelledRequestIsSaid() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    shown.host.fate = Fate::Waiting;
    shown.show(0);
    if (shown.host.asked == 0)
        return;
    shown.host.jobs.cancel();
    QTRY_VERIFY(shown.hasProblem());
    QVERIFY(shown.problem()->findChild<QLabel*>()->text().endsWith(QStringLiteral("stopped.")));
    shown.host.fate = Fate::Answered;
    shown.show(1); // another model has another answer
    QVERIFY(!shown.hasProblem());
}

void PanelContractTest::longNamesDoNotWidenIt() {
    QFETCH(QString, id);
    ShownPanel usual(id);
    usual.show(0);
    usual.host.selection()->select({syntheticSet(0), 0});
    usual.settle();
    const int least = usual.least();
    QVERIFY2(least <= 480, qPrintable(QString::number(least)));
    ShownPanel shown(id, {std::max(260, least), 240});
    test::UsefulOptions options;
    options.prefix = std::string(10'000, 'c');
    options.modelPrefix = options.prefix;
    options.idPrefix = std::string(10'000, 'i');
    for (const std::size_t model : {std::size_t{0}, std::size_t{1}}) {
        shown.show(model, options);
        shown.host.selection()->select({syntheticSet(model), 0});
        shown.settle();
        QVERIFY2(shown.least() <= least, qPrintable(QString::number(shown.least())));
        QCOMPARE(shown.panel->width(), std::max(260, least));
    }
}

void PanelContractTest::keepsWhatWasChosen() {
    QFETCH(QString, id);
    ShownPanel shown(id);
    shown.show(0);
    const QJsonObject before = shown.panel->saveState();
    shown.panel->restoreState({}); // of a version that keeps nothing
    shown.panel->restoreState({{"column", 7}, {"curve", "no such"}, {"second", "nobody"}, {"arrangement", 99}});
    shown.settle();
    QVERIFY(!shown.hasProblem());
    shown.panel->restoreState(before);
    shown.settle();
    ShownPanel fresh(id);
    fresh.show(0);
    fresh.panel->restoreState(before);
    QCOMPARE(fresh.panel->saveState(), before);
}

ASSAY_TEST(panel_contract_test, PanelContractTest)
#include "panel_contract_test.moc"
