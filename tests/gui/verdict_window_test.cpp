// What the window says of sets whose truth is known: digits, if they lie beside the source tree. Skipped without them.
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/subsets/rules/good_samples.h"
#include "tests/engine/support/shared_data.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"
#include "widgets/findings/finding_card.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/ranking/ranking_model.h"

#include <QtWidgets>

#include <algorithm>
#include <set>
#include <vector>

using namespace assay;

class VerdictWindowTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void noiseIsRankedFirstSelectedAndRejected();
    void heldOutDigitsAreNotAccused();
    void lostDigitsAreNamedAndShown();
    void copiesComeFirst();
    void anExampleSelectsTheCopiesLikeIt();
    void fiftySamplesAreTooFew();

private:
    void choose(const char* model);
    const ModelAudit& current() const { return state().current(); }
    FindingCard* firstCard() const { return window_->findChildren<FindingCard*>().value(0); }

    QTemporaryDir folder_;
    std::vector<bool> isBad_; ///< of mixed30
};

void VerdictWindowTest::initTestCase() {
    if (test::takesSmallSizes())
        QSKIP("ten thousand digits, at full size only");
    const auto real = test::sharedFile("data/mnist/real.npz");
    if (!real)
        QSKIP("the digits are not beside the source tree");
    QFile truth(QString::fromStdString(*test::sharedFile("data/mnist/mixed30_is_bad.npy")));
    QVERIFY(truth.open(QIODevice::ReadOnly));
    for (const char flag : truth.readAll().right(5000))
        isBad_.push_back(flag != 0);

    AuditFiles files;
    files.real = QString::fromStdString(*real);
    for (const char* name : {"mixed30", "heldout", "fourdigits", "copycat"})
        files.models.push_back({QLatin1String(name),
                                QString::fromStdString(*test::sharedFile("data/mnist/" + std::string(name) + ".npz"))});
    const auto vae = readEmbeddings(*test::sharedFile("data/mnist/vae.npz"));
    const QString few = folder_.filePath(QStringLiteral("vae50.npz"));
    const std::span<const float> rows(vae->matrix().data, 50 * vae->dim());
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(rows, {50, vae->dim()})}};
    writeNpz(few.toStdString(), items, NpzPacking::Stored);
    files.models.push_back({QStringLiteral("vae50"), few});

    QVERIFY(makeWindow(engineCalls()));
    session_->open(files);
    QTRY_VERIFY_WITH_TIMEOUT(session_->isOpen() && state().audit->models.size() == 5, 120000);
    QVERIFY(test::waitIdle(*session_));
}

void VerdictWindowTest::choose(const char* name) {
    setRules({});
    const auto& models = state().audit->models;
    for (std::size_t m = 0; m < models.size(); ++m)
        if (models[m]->name == name)
            session_->editor()->setModel(m);
    QCOMPARE(current().name, std::string(name));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    selection_->clear();
}

void VerdictWindowTest::noiseIsRankedFirstSelectedAndRejected() {
    choose("mixed30");
    const auto* ranking = window_->findChild<RankingView*>();
    QVERIFY(ranking->currentTitle().contains("Most suspicious"));
    for (std::size_t position = 0; position < 100; ++position)
        QVERIFY(isBad_[ranking->model()->sampleAt(position).row]);
    // One click on the first finding selects the noise.
    QTest::mouseClick(firstCard(), Qt::LeftButton, {}, QPoint(40, 20));
    std::size_t noise = 0;
    for (const SampleId sample : selection_->samples())
        noise += isBad_[sample.row] ? 1 : 0;
    QCOMPARE(noise, std::size_t{1500});
    QVERIFY(selection_->samples().size() < 1500 + 100);
    test::shoot(*window_, "verdicts-mixed30");
    // The first rule rejects it, and hardly a good digit.
    auto* rule = child<QCheckBox>("ruleCheck_p_any");
    QTest::mouseClick(rule, Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(rule->isChecked() && state().kept);
    std::size_t rejectedNoise = 0;
    std::size_t rejectedGood = 0;
    for (std::size_t row = 0; row < isBad_.size(); ++row)
        if (!state().isKept(row))
            ++(isBad_[row] ? rejectedNoise : rejectedGood);
    QCOMPARE(rejectedNoise, std::size_t{1500});
    QVERIFY(static_cast<double>(rejectedGood) <= 0.025 * 3500.0);
    const auto* taken = child<QLabel>("ruleTaken_p_any");
    QVERIFY(taken->isVisible() && taken->text().contains("of good samples"));
    const auto rate = falseAlarmRate(*state().audit, state().model, session_->document()->rules());
    QVERIFY(rate && *rate <= 0.01);
    QVERIFY(test::waitIdle(*session_));
    // As many at random do not gain what choosing gained.
    QTRY_VERIFY(session_->keptScorer()->found().random);
    QVERIFY(session_->keptScorer()->scores()->metric("clipped_density") >
            session_->keptScorer()->found().random->metric("clipped_density") + 0.2);
    QVERIFY(!child<QLabel>("rulesWarning")->isVisible());
    // Whoever rejects much more than is bad is told.
    setRules({{"fidelity", Bound::AtLeast, 0.9}});
    QVERIFY(child<QLabel>("rulesWarning")->isVisible());
    QVERIFY(test::waitIdle(*session_));
    test::shoot(*window_, "verdicts-too-much");
}

void VerdictWindowTest::heldOutDigitsAreNotAccused() {
    // They are by other writers: a classifier tells the two sets apart with AUC 0.54 (with shuffled labels 0.50), which
    // is said, and marks nothing.
    choose("heldout");
    for (const Finding& finding : current().findings)
        QVERIFY2(!finding.marksModel && (finding.kind->id == "told_apart" || finding.kind->id == "subtle"),
                 finding.sentence.c_str());
    const auto* summary = child<QLabel>("findingsSummary");
    QVERIFY2(summary->text().contains(QStringLiteral("with AUC 0.5")), qPrintable(summary->text()));
    const std::vector<double>& verdict = current().column("verdict");
    QCOMPARE(std::count(verdict.begin(), verdict.end(), 0.0), static_cast<std::ptrdiff_t>(verdict.size()));
}

void VerdictWindowTest::lostDigitsAreNamedAndShown() {
    choose("fourdigits");
    QCOMPARE(firstCard()->objectName(), QStringLiteral("finding_class_shares"));
    const Finding& finding = firstCard()->finding();
    QCOMPARE(std::set(finding.classes.begin(), finding.classes.end()),
             (std::set<std::string>{"4", "5", "6", "7", "8", "9"}));
    QTest::mouseClick(firstCard(), Qt::LeftButton, {}, QPoint(40, 20));
    std::set<std::string> shown;
    for (const SampleId sample : selection_->samples()) {
        QVERIFY(isReal(sample.set));
        shown.insert(state().audit->real->set->labelText(sample.row));
    }
    QCOMPARE(shown, (std::set<std::string>{"4", "5", "6", "7", "8", "9"}));
    test::shoot(*window_, "verdicts-fourdigits");
}

void VerdictWindowTest::copiesComeFirst() {
    choose("copycat");
    QCOMPARE(firstCard()->objectName(), QStringLiteral("finding_copy"));
    QVERIFY(firstCard()->finding().value > 0.9);
    test::shoot(*window_, "verdicts-copycat");
    // Ranked as copies, each stands above its original, and the tiles are that much higher.
    const int alone = gallery()->cellRect(0).height();
    ranking()->setOrder({"copy_ratio", Qt::AscendingOrder});
    QVERIFY(gallery()->cellRect(0).height() >= alone + gallery()->edge());
    QCOMPARE(gallery()->cellAt(gallery()->pictureRect({1, 1}).center()), std::optional<std::size_t>(1));
    test::shoot(*window_, "verdicts-originals");
    ranking()->setOrder({});
}

void VerdictWindowTest::anExampleSelectsTheCopiesLikeIt() {
    choose("copycat");
    const Finding& finding = firstCard()->finding();
    QCOMPARE(finding.examples.size(), std::size_t{5});
    auto* examples = firstCard()->findChild<SampleGrid*>(QStringLiteral("findingExamples"));
    QTRY_VERIFY(examples->isVisible() && examples->edge() >= 36);
    QTest::mouseClick(examples->viewport(), Qt::LeftButton, {}, examples->pictureRect({0, 0}).center());
    const SetId set = state().currentSet();
    QCOMPARE(selection_->samples(), SampleSet(set, finding.rowsLike(0)));
    QCOMPARE(selection_->samples().size(), std::size_t{finding.examples[0].count});
    QCOMPARE(selection_->focus(), std::optional(SampleId{set, finding.examples[0].row}));
    test::shoot(*window_, "verdicts-example");
    QTest::mouseDClick(examples->viewport(), Qt::LeftButton, {}, examples->pictureRect({0, 1}).center());
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{SetId::Real, finding.examples[0].original.value()}}));
    // Its samples alone, in every panel, and all again.
    auto* show = firstCard()->findChild<QPushButton*>(QStringLiteral("findingShow_copy"));
    const RankingModel* ranked = ranking();
    const std::size_t all = ranked->size();
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(ranked->size(), finding.rows.size());
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(ranked->size(), all);
}

void VerdictWindowTest::fiftySamplesAreTooFew() {
    choose("vae50");
    const auto& all = current().findings;
    const auto few = std::ranges::find_if(all, [](const Finding& one) { return one.kind->id == "few_samples"; });
    QVERIFY(few != all.end() && !few->marksModel);
    QCOMPARE(few->sentence, std::string("There are only 50 synthetic samples: small faults cannot be seen."));
}

ASSAY_TEST(verdict_window_test, VerdictWindowTest)
#include "verdict_window_test.moc"
