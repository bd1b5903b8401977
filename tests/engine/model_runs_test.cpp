// Models whose names carry a number are runs.
#include "engine/audit/result/model_runs.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// "prefix|suffix|parameter: 0@1000 1@2000", a run per entry.
QStringList written(const std::vector<std::string>& names) {
    QStringList all;
    for (const ModelRun& run : modelRuns(names)) {
        QString text = QString::fromStdString(run.prefix + "|" + run.suffix + "|" + run.parameter + ":");
        for (const RunPoint& point : run.points)
            text += QStringLiteral(" %1@%2").arg(point.model).arg(point.at);
        all << (run.hasWords ? text + QStringLiteral(" words") : text);
    }
    return all;
}

} // namespace

class ModelRunsTest : public QObject {
    Q_OBJECT

private slots:
    void findsRuns_data();
    void findsRuns();
    void keepsTheTextsOfNames();
    void theOrderOfModelsChangesNoRun();
    void manyLongNamesTakeNoTime();
};

void ModelRunsTest::findsRuns_data() {
    QTest::addColumn<std::vector<std::string>>("names");
    QTest::addColumn<QStringList>("runs");
    using Names = std::vector<std::string>;
    QTest::newRow("none") << Names{} << QStringList{};
    QTest::newRow("no numbers") << Names{"gan", "vae"} << QStringList{};
    QTest::newRow("steps, in the order of numbers")
        << Names{"gan_2000", "gan_1000", "gan_10000"} << QStringList{"gan_||: 1@1000 0@2000 2@10000"};
    QTest::newRow("one alone") << Names{"gan_1000", "vae_2000"} << QStringList{};
    QTest::newRow("guidance") << Names{"cfg1.5", "cfg3", "cfg7.5"} << QStringList{"cfg||cfg: 0@1.5 1@3 2@7.5"};
    QTest::newRow("truncation in the middle")
        << Names{"gan-psi0.5-fid", "gan-psi0.7-fid", "gan-psi0.7-kid"} << QStringList{"gan-psi|-fid|psi: 0@0.5 1@0.7"};
    QTest::newRow("thousands and millions")
        << Names{"gan_500k", "gan_1M", "gan_1500"} << QStringList{"gan_||: 2@1500 0@500000 1@1e+06"};
    QTest::newRow("kimg") << Names{"network-snapshot-kimg005000", "network-snapshot-kimg025000"}
                          << QStringList{"network-snapshot-kimg||kimg: 0@5000 1@25000"};
    QTest::newRow("two numbers, two runs each")
        << Names{"a_step1_cfg2", "a_step2_cfg2", "a_step1_cfg4"}
        << QStringList{"a_step|_cfg2|step: 0@1 1@2", "a_step1_cfg||cfg: 0@2 2@4"};
    QTest::newRow("versions") << Names{"stylegan2", "stylegan3"} << QStringList{};
    QTest::newRow("three of them") << Names{"gan1", "gan2", "gan3"} << QStringList{"gan||: 0@1 1@2 2@3"};
    QTest::newRow("seeds") << Names{"gan_seed1", "gan_seed2", "gan_seed3"} << QStringList{};
    QTest::newRow("equal numbers") << Names{"gan_1.0", "gan_1"} << QStringList{};
    QTest::newRow("equal numbers among others")
        << Names{"gan_2", "gan_1.0", "gan_1"} << QStringList{"gan_||: 1@1 2@1 0@2"};
    QTest::newRow("bare numbers") << Names{"1000", "2000"} << QStringList{"||: 0@1000 1@2000"};
    QTest::newRow("early") << Names{"gan", "vae", "gan_early"} << QStringList{"gan_||: 2@1 0@2 words"};
    QTest::newRow("early, mid and late") << Names{"late-gan", "early-gan", "mid-gan"}
                                         << QStringList{"|-gan|: 1@1 2@2 0@3 words"};
    QTest::newRow("early of nothing") << Names{"gan_early", "vae"} << QStringList{};
    QTest::newRow("a word within a word") << Names{"yearly", "y", "nearly_gan", "n_gan"} << QStringList{};
    QTest::newRow("too large a number") << Names{"gan_" + std::string(400, '9'), "gan_1"} << QStringList{};
}

void ModelRunsTest::findsRuns() {
    QFETCH(std::vector<std::string>, names);
    QFETCH(QStringList, runs);
    QCOMPARE(written(names), runs);
}

void ModelRunsTest::keepsTheTextsOfNames() {
    const std::vector<std::string> names{"gan_early", "gan", "x_010k", "x_2.50"};
    const auto runs = modelRuns(names);
    QCOMPARE(runs.size(), std::size_t{2});
    QCOMPARE(runs[0].points[0].text, std::string("2.50"));
    QCOMPARE(runs[0].points[1].text, std::string("010k"));
    QCOMPARE(runs[1].points[0].text, std::string("early"));
    QCOMPARE(runs[1].points[1].text, std::string());
    for (const ModelRun& run : runs)
        for (const RunPoint& point : run.points)
            if (!point.text.empty())
                QCOMPARE(run.prefix + point.text + run.suffix, names[point.model]);
}

void ModelRunsTest::theOrderOfModelsChangesNoRun() {
    std::vector<std::string> names{"a_1", "a_2", "b_1_x3", "b_2_x3", "b_2_x4", "c_early", "c"};
    const auto members = [&] {
        std::vector<std::vector<std::string>> all;
        for (const ModelRun& run : modelRuns(names)) {
            std::vector<std::string> of;
            for (const RunPoint& point : run.points)
                of.push_back(names[point.model]);
            all.push_back(of);
        }
        std::ranges::sort(all);
        return all;
    };
    const auto before = members();
    QCOMPARE(before.size(), std::size_t{3});
    std::ranges::reverse(names);
    QVERIFY(members() == before);
}

void ModelRunsTest::manyLongNamesTakeNoTime() {
    std::vector<std::string> names;
    for (int model = 0; model < 40; ++model)
        names.push_back(std::string(10'000, 'n') + "_" + std::to_string(model));
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(modelRuns(names).size(), std::size_t{1});
    QVERIFY2(clock.elapsed() < 50, qPrintable(QString::number(clock.elapsed())));
}

ASSAY_TEST(model_runs_test, ModelRunsTest)
#include "model_runs_test.moc"
