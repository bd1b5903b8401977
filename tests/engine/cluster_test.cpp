// assay-score under mpirun: the same figures as one process.
#include "engine/io/numpy/npy_writer.h"
#include "engine/metrics/catalog/catalog.h"
#include "tests/engine/support/ranks.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

using namespace assay;
using namespace assay::test;

namespace {

/// The scores without what tells how they were found: the seconds and the backend.
QByteArray scoresIn(const QByteArray& json) {
    QJsonObject kept = QJsonDocument::fromJson(json).object();
    QJsonArray models;
    for (const QJsonValue& value : kept["models"].toArray()) {
        QJsonObject model = value.toObject();
        model.remove("seconds");
        model.remove("backend");
        models << model;
    }
    kept["models"] = models;
    return QJsonDocument(kept).toJson();
}

/// The kinds of data that are scored by several processes, with the number of neighbours.
constexpr std::array<std::pair<const char*, int>, 10> kData{{{"uneven", 5},
                                                             {"few dimensions", 3},
                                                             {"ties across borders", 5},
                                                             {"ties at the edge of balls", 4},
                                                             {"a row in no ball but its own", 5},
                                                             {"copies of the real set", 5},
                                                             {"all rows the same", 4},
                                                             {"fewer rows than ranks times k", 6},
                                                             {"one row for each rank", 3},
                                                             {"large enough for a trial", 5}}};

} // namespace

class ClusterTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void givesTheBytesOfOneProcess_data();
    void givesTheBytesOfOneProcess();
    void readsArchivesWithLabelsAndIds();
    void demoIsTheSame();
    void aHeldOutSetIsSharedToo();

private:
    QString path(const QString& name) const { return folder_->filePath(name); }
    QString write(const QString& name, const Matrix& matrix) const {
        writeNpy(path(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return path(name);
    }
    QStringList arguments(const QString& real, const QStringList& models, int k, const QString& outputs) const;
    void compareOutputs(const QString& one, const QString& several, qsizetype models) const;
    void writeSets(const QString& data, const QDir& folder) const;
    void scoreAll(int ranks);

    std::unique_ptr<QTemporaryDir> folder_;
    // What many rows of a test share, so that the launcher starts once for all of them.
    QTemporaryDir shared_;
    QHash<int, QList<Run>> scored_; ///< by number of ranks, in the order of kData; 0: alone
};

void ClusterTest::initTestCase() {
    if (const QString why = test::whyNoRanks(); !why.isEmpty())
        QSKIP(qPrintable(why));
}

void ClusterTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

QStringList ClusterTest::arguments(const QString& real, const QStringList& models, int k,
                                   const QString& outputs) const {
    QStringList all{"--real", real, "-k", QString::number(k), "--quiet"};
    for (const QString& model : models)
        all << "--synthetic" << model;
    return all << "--json" << outputs + ".json"
               << "--csv" << outputs;
}

/// Compares what a process alone and several together left, given the outputs' names.
void ClusterTest::compareOutputs(const QString& one, const QString& several, qsizetype models) const {
    const QByteArray json = contentOf(several + ".json");
    QVERIFY(json.contains("\"clipped_density\""));
    QCOMPARE(scoresIn(json), scoresIn(contentOf(one + ".json")));
    const QStringList tables = QDir(one).entryList(QDir::Files);
    QCOMPARE(tables.size(), 2 * models);
    QCOMPARE(QDir(several).entryList(QDir::Files), tables);
    for (const QString& table : tables)
        QCOMPARE(contentOf(several + '/' + table), contentOf(one + '/' + table));
}

void ClusterTest::givesTheBytesOfOneProcess_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<int>("ranks");
    for (const auto& [data, k] : kData)
        for (int ranks = test::sized(1, 2); ranks <= test::sized(4, 3); ++ranks)
            QTest::addRow("%s, %d ranks", data, ranks) << QString(data) << ranks;
}

void ClusterTest::writeSets(const QString& data, const QDir& folder) const {
    Matrix real;
    Matrix fake;
    if (data == "uneven") {
        real = gaussian(1003, 24, 1);
        fake = gaussian(802, 24, 2, 0.2F);
    } else if (data == "few dimensions") {
        real = gaussian(601, 2, 1);
        fake = gaussian(499, 2, 2);
    } else if (data == "ties across borders") {
        // Every row of the real set is there several times, in all shares.
        real = repeated(grid(70, 3, 1, 3), 517);
        fake = repeated(grid(40, 3, 2, 3), 333);
    } else if (data == "ties at the edge of balls") {
        // On a lattice lists end in the middle of ties, so that balls are counted by a pass of their own.
        real = grid(331, 4, 1, 5);
        fake = grid(270, 4, 2, 5);
    } else if (data == "a row in no ball but its own") {
        // Forty-two rows at the same distance from the first one, closer to each other; the others far away and apart,
        // so that the median radius is large. The first row's ball ends in the middle of ties and holds itself.
        Matrix group{std::vector<float>(43 * 8, 0.0F), 43, 8};
        for (std::size_t r = 1; r < group.rows; ++r)
            group.values[r * 8 + r % 7] = 1.0F;
        real = joined(group, gaussian(120, 8, 1, 1e4F, 1e3F));
        fake = gaussian(90, 8, 2, 1e4F, 1e3F);
    } else if (data == "copies of the real set") {
        real = gaussian(403, 8, 1);
        fake = joined(gaussian(101, 8, 2), real);
    } else if (data == "all rows the same") {
        real = repeated(gaussian(1, 5, 1), 41);
        fake = repeated(gaussian(1, 5, 1), 23);
    } else if (data == "fewer rows than ranks times k") {
        real = grid(11, 2, 1, 3);
        fake = gaussian(9, 2, 2);
    } else if (data == "one row for each rank") {
        real = gaussian(4, 3, 1);
        fake = gaussian(5, 3, 2);
    } else {
        // More than 2,048 rows for each of two ranks, on a surface of few dimensions, where integers pay.
        real = gaussian(4301, 96, 1);
        fake = gaussian(4203, 96, 2);
        for (Matrix* set : {&real, &fake})
            for (std::size_t row = 0; row < set->rows; ++row)
                for (std::size_t c = 6; c < set->dim; ++c) {
                    float* values = set->values.data() + row * set->dim;
                    values[c] = 0.01F * values[c] + values[c % 6] * values[(c / 6) % 6];
                }
    }
    for (const auto& [name, set] : {std::pair{"real.npy", &real}, std::pair{"fake.npy", &fake}})
        writeNpy(folder.filePath(name).toStdString(), npyView<float>(set->values, {set->rows, set->dim}));
}

/// Scores every kind of data by `ranks` processes, or alone by 0, into outputs named by that number.
void ClusterTest::scoreAll(int ranks) {
    QList<QStringList> cases;
    for (const auto& [data, k] : kData) {
        const QDir folder(shared_.filePath(data));
        if (!folder.exists()) {
            QVERIFY(QDir().mkpath(folder.path()));
            writeSets(data, folder);
        }
        cases << arguments(folder.filePath("real.npy"), {"gan=" + folder.filePath("fake.npy")}, k,
                           folder.filePath(QString::number(ranks)));
    }
    if (ranks > 0) {
        scored_[ranks] = scoreTogether(ranks, cases);
        return;
    }
    for (const QStringList& one : cases)
        scored_[0] << score(one);
}

void ClusterTest::givesTheBytesOfOneProcess() {
    QFETCH(QString, data);
    QFETCH(int, ranks);
    for (const int processes : {0, ranks})
        if (!scored_.contains(processes))
            scoreAll(processes);
    const auto at = std::find_if(kData.begin(), kData.end(), [&](const auto& one) { return data == one.first; });
    for (const int processes : {0, ranks}) {
        const Run& run = scored_[processes].at(at - kData.begin());
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(run.out, QByteArray());
    }
    const QDir folder(shared_.filePath(data));
    compareOutputs(folder.filePath("0"), folder.filePath(QString::number(ranks)), 1);
}

void ClusterTest::readsArchivesWithLabelsAndIds() {
    const Matrix real = gaussian(203, 6, 1);
    const Matrix fake = gaussian(150, 6, 2);
    std::vector<std::int64_t> labels;
    std::vector<std::int64_t> ids;
    for (std::int64_t row = 0; row < 203; ++row) {
        labels.push_back(row % 7);
        ids.push_back(1000 - row);
    }
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(real.values, {real.rows, real.dim})},
                                     {"labels", npyView<std::int64_t>(labels, {labels.size()})},
                                     {"ids", npyView<std::int64_t>(ids, {ids.size()})}};
    writeNpz(path("stored.npz").toStdString(), items, NpzPacking::Stored);
    writeNpz(path("packed.npz").toStdString(), items, NpzPacking::Deflated);
    write("fake.npy", fake);
    const QStringList models{path("packed.npz"), path("fake.npy")};
    const Run one = score(arguments(path("stored.npz"), models, 5, path("one")));
    QVERIFY2(one.exitCode == 0, one.err);
    const Run several = scoreTogether(3, arguments(path("stored.npz"), models, 5, path("several")));
    QVERIFY2(several.exitCode == 0, several.err);
    compareOutputs(path("one"), path("several"), models.size());
    QVERIFY(contentOf(path("several/fake.real.csv")).contains("\n5,995,5,"));
}

void ClusterTest::demoIsTheSame() {
    if (test::takesSmallSizes())
        QSKIP("the same code as on the small sets");
    const Run several = scoreTogether(2, {"--demo", "--json", "-"});
    QVERIFY2(several.exitCode == 0, several.err);
    QCOMPARE(scoresIn(several.out), scoresIn(score({"--demo", "--json", "-"}).out));
}

void ClusterTest::aHeldOutSetIsSharedToo() {
    const QStringList arguments{
        "--real",     write("real.npy", gaussian(203, 5, 81)), "--synthetic", write("fake.npy", gaussian(180, 5, 82)),
        "--held-out", write("held.npy", gaussian(170, 5, 83)), "--json",      "-",
        "--quiet"};
    const Run several = scoreTogether(2, arguments);
    QVERIFY2(several.exitCode == 0, several.err);
    const QJsonObject found = QJsonDocument::fromJson(several.out).object();
    const QJsonObject expected = QJsonDocument::fromJson(score(arguments).out).object();
    QCOMPARE(found["held_out"], expected["held_out"]);
    const auto scores = [](const QJsonObject& json) { return json["diagnostics"]["held_out"].toObject(); };
    QVERIFY(!scores(found).isEmpty());
    for (const QString& id : scores(found).keys())
        QCOMPARE(scores(found)[id], scores(expected)[id]);
    QCOMPARE(found["models"][0]["metrics"].toObject(), expected["models"][0]["metrics"].toObject());
    QVERIFY(found["models"][0]["metrics"].toObject().contains("ct_score"));
}

ASSAY_TEST(cluster_test, ClusterTest)
#include "cluster_test.moc"
