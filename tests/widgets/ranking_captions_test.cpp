// Captions of the ranking's pictures: what the order ranks by, in few digits.
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/catalog/catalog.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/judged_audit.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_cells.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

constexpr std::size_t kTiles = 20;
const QString kTimes(QChar(0x00D7));

struct Ranked {
    SampleSelection selection;
    RankingModel model{&selection};
    RankingPicker picker{&model, nullptr};
    RankingCells cells{&model, &picker};

    explicit Ranked(const std::shared_ptr<const AuditResult>& audit, std::size_t of = 0) {
        model.setState({audit, of, nullptr});
    }
    QStringList first(std::size_t count) const {
        QStringList texts;
        for (std::size_t at = 0; at < std::min(count, model.size()); ++at)
            texts << cells.caption(at);
        return texts;
    }
    const std::vector<double>& column(const char* id) const { return model.state().current().column(id); }
};

/// Most significant digits of a number with a fraction that a text holds.
qsizetype fractionDigits(const QString& text) {
    static const QRegularExpression fraction(QStringLiteral("0?([1-9][\\d,]*)?\\.(\\d+)"));
    qsizetype most = 0;
    for (auto found = fraction.globalMatch(text); found.hasNext();) {
        QString digits = found.next().captured().remove(u'.').remove(u',');
        while (digits.startsWith(u'0'))
            digits.remove(0, 1);
        most = std::max(most, digits.size());
    }
    return most;
}

} // namespace

class RankingCaptionsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void everyOrderHasCaptionsOfAFewDigits_data();
    void everyOrderHasCaptionsOfAFewDigits();
    void saysHowMuchCloserACopyIs();
    void namesTheOriginalOfAnExactCopy();
    void saysHowDenseTheModelIs();
    void collapsedOutputsAreNoNumbers();
    void saysHowFarAnUnrealisticSampleIs();
    void otherColumnsShowTheirValueFirst();
    void doesWithoutVerdicts();
    void tiesGoByEvidence_data();
    void tiesGoByEvidence();
    void definesWhatATileSays();
    void wordsOfVerdicts();
    void roundsToSignificantDigits();
    void namesThePublishedCopy();
};

void RankingCaptionsTest::everyOrderHasCaptionsOfAFewDigits_data() {
    test::addColumns<QString, bool, bool>("column", "falling", "real");
    for (const Column& column : columnCatalog())
        for (const bool falling : {false, true})
            QTest::addRow("%s, %s", column.id.data(), falling ? "falling" : "rising")
                << catalogText(column.id) << falling << (column.side == Side::Real);
    for (const char* fixed : {"id", "class", "kept", "tags", "note"})
        for (const bool real : {false, true})
            QTest::addRow("%s, %s", fixed, real ? "real" : "synthetic") << QString::fromLatin1(fixed) << false << real;
}

void RankingCaptionsTest::everyOrderHasCaptionsOfAFewDigits() {
    QFETCH(QString, column);
    QFETCH(bool, falling);
    QFETCH(bool, real);
    for (const std::size_t dim : {std::size_t{2}, std::size_t{16}}) {
        Ranked ranked(test::judgedAudit(dim));
        ranked.model.setOrder({column.toStdString(), falling ? Qt::DescendingOrder : Qt::AscendingOrder,
                               real ? Side::Real : Side::Synthetic});
        const QStringList texts = ranked.first(kTiles);
        QCOMPARE(texts.size(), static_cast<qsizetype>(kTiles));
        for (const QString& text : texts)
            QVERIFY2(!text.isEmpty() && fractionDigits(text) <= 4, qPrintable(text));
    }
}

void RankingCaptionsTest::saysHowMuchCloserACopyIs() {
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({"copy_ratio", Qt::AscendingOrder});
    const std::size_t first = test::JudgedRows::kExactCopies;
    for (std::size_t at = first; at < first + 10; ++at) {
        const double closer = 1.0 / ranked.column("copy_ratio")[ranked.model.sampleAt(at).row];
        const QString text = ranked.cells.caption(at);
        QVERIFY2(text.endsWith(kTimes + " closer"), qPrintable(text));
        const double said = QLocale().toDouble(text.left(text.indexOf(kTimes)));
        QVERIFY2(std::abs(said / closer - 1.0) < 0.006, qPrintable(text)); // three digits
    }
    ranked.model.setOrder({"copy_ratio", Qt::DescendingOrder});
    QVERIFY2(ranked.cells.caption(0).contains(kTimes + " closer"),
             qPrintable(ranked.cells.caption(0)));      // no sample is nearer to its second nearest real one
    const Evidence ofBefore{Evidence::Kind::Copy, 0.5}; // files of before have ratios above 1
    QCOMPARE(evidenceText(ofBefore, 3, *test::judgedAudit(16)), QString("2.00%1 farther").arg(kTimes));
}

void RankingCaptionsTest::namesTheOriginalOfAnExactCopy() {
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({"copy_ratio", Qt::AscendingOrder});
    for (std::size_t at = 0; at < test::JudgedRows::kExactCopies; ++at) {
        const auto original = static_cast<int>(ranked.column("nearest_real")[ranked.model.sampleAt(at).row]);
        QCOMPARE(ranked.cells.caption(at), QString("exact copy of %1").arg(original));
    }
}

void RankingCaptionsTest::saysHowDenseTheModelIs() {
    for (const std::size_t dim : {std::size_t{2}, std::size_t{16}}) {
        Ranked ranked(test::judgedAudit(dim));
        ranked.model.setOrder({"log_density_ratio", Qt::DescendingOrder});
        const double nats = ranked.column("log_density_ratio")[ranked.model.sampleAt(0).row];
        // Of few features the density ratio itself; of many, whose power it is, the ratio of the distances.
        const double ratio = dim == 2 ? std::exp(nats) : std::exp(nats / 16.0);
        const QString text = ranked.cells.caption(0);
        QVERIFY2(text.endsWith(kTimes + (dim == 2 ? " as dense" : " as crowded")), qPrintable(text));
        QVERIFY2(std::abs(QLocale().toDouble(text.left(text.indexOf(kTimes))) / ratio - 1.0) < 0.006, qPrintable(text));
        ranked.model.setOrder({"log_density_ratio", Qt::AscendingOrder});
        QVERIFY2(ranked.cells.caption(0).contains(kTimes + " as sparse"), qPrintable(ranked.cells.caption(0)));
    }
}

void RankingCaptionsTest::collapsedOutputsAreNoNumbers() {
    // A model of one output, in more dimensions than density ratios are written in.
    constexpr std::size_t kRows = 60;
    constexpr std::size_t kDim = 16;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    const auto setOf = [](const std::string& name, std::vector<float> values) {
        return std::make_shared<const EmbeddingSet>(EmbeddingParts::of(std::move(values), kDim, name));
    };
    std::vector<float> real(kRows * kDim);
    std::ranges::generate(real, [&] { return normal(random); });
    AuditRequest request;
    request.real = setOf("real", std::move(real));
    request.models = {{"one", setOf("one", std::vector<float>(kRows * kDim, 0.1F))}};
    Ranked ranked(runAudit(request, {}));
    for (const char* order : {"p_any", "log_density_ratio"}) {
        ranked.model.setOrder({order, Qt::AscendingOrder, Side::Synthetic});
        for (const QString& text : ranked.first(kTiles)) {
            QVERIFY2(!text.contains(QStringLiteral("inf")) && !text.contains(QChar(0x221E)), qPrintable(text));
            QVERIFY2(!text.contains(QStringLiteral("nan")), qPrintable(text));
        }
    }
    QVERIFY2(ranked.first(1).front().contains(QStringLiteral("no real one like it")),
             qPrintable(ranked.first(1).front()));
}

void RankingCaptionsTest::saysHowFarAnUnrealisticSampleIs() {
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({"p_unrealistic", Qt::AscendingOrder});
    const AuditResult& audit = *ranked.model.state().audit;
    const std::uint32_t row = ranked.model.sampleAt(0).row;
    const double far =
        audit.models[0]->tables->synthetic.nearest.distanceAt(row, audit.k - 1) / audit.real->medianRadius;
    const QString text = ranked.cells.caption(0);
    QVERIFY2(text.endsWith(kTimes + " the usual distance"), qPrintable(text));
    QVERIFY2(std::abs(QLocale().toDouble(text.left(text.indexOf(kTimes))) / far - 1.0) < 0.006, qPrintable(text));
}

void RankingCaptionsTest::otherColumnsShowTheirValueFirst() {
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({"fidelity", Qt::AscendingOrder}); // many have 0
    for (const QString& text : ranked.first(kTiles))
        QVERIFY2(text.startsWith("0, ") && text.contains(kTimes), qPrintable(text));
    ranked.model.setOrder({"pce", Qt::DescendingOrder}); // no two are equal
    QCOMPARE(ranked.cells.caption(0),
             formatWithUnit(ranked.model.rankedValue(ranked.model.sampleAt(0).row), Unit::Nats));
    ranked.model.setOrder({"id", Qt::AscendingOrder});
    QCOMPARE(ranked.cells.caption(3), QString("3"));
}

void RankingCaptionsTest::doesWithoutVerdicts() {
    Ranked ranked(test::fakeAudit());
    ranked.model.setOrder({"authentic", Qt::AscendingOrder});
    const QStringList texts = ranked.first(kTiles);
    QCOMPARE(texts.front(), QString("no"));
}

void RankingCaptionsTest::tiesGoByEvidence_data() {
    test::addColumns<QString, bool, QString, bool, bool>("column", "falling", "evidence", "highFirst", "real");
    QTest::newRow("p-value") << "p_any" << false << "evidence" << true << false;
    QTest::newRow("p-value, best first") << "p_any" << true << "evidence" << false << false;
    QTest::newRow("verdict") << "verdict" << true << "evidence" << true << false;
    QTest::newRow("fidelity") << "fidelity" << false << "evidence" << true << false;
    QTest::newRow("class") << "class" << false << "evidence" << true << false;
    QTest::newRow("copy") << "p_copy" << false << "copy_ratio" << false << false;
    QTest::newRow("crowded") << "p_over_represented" << false << "log_density_ratio" << true << false;
    QTest::newRow("unrealistic") << "p_unrealistic" << false << "pce" << true << false;
    QTest::newRow("missed") << "p_uncovered" << false << "coverage_ratio" << true << true;
    QTest::newRow("coverage") << "coverage" << false << "coverage_ratio" << true << true;
}

void RankingCaptionsTest::tiesGoByEvidence() {
    QFETCH(QString, column);
    QFETCH(bool, falling);
    QFETCH(QString, evidence);
    QFETCH(bool, highFirst);
    QFETCH(bool, real);
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({column.toStdString(), falling ? Qt::DescendingOrder : Qt::AscendingOrder,
                           real ? Side::Real : Side::Synthetic});
    const auto key = [&](std::uint32_t row) {
        return column == "class" ? static_cast<double>(ranked.model.listed().labels().code[row])
                                 : ranked.model.rankedValue(row);
    };
    const std::vector<double>& of = ranked.column(evidence.toLatin1());
    int ties = 0;
    for (std::size_t at = 1; at < ranked.model.size(); ++at) {
        const std::uint32_t before = ranked.model.sampleAt(at - 1).row;
        const std::uint32_t row = ranked.model.sampleAt(at).row;
        QVERIFY(falling ? key(before) >= key(row) : key(before) <= key(row));
        if (key(before) != key(row))
            continue;
        ++ties;
        QVERIFY(highFirst ? of[before] >= of[row] : of[before] <= of[row]);
        if (of[before] == of[row])
            QVERIFY(before < row);
    }
    const int fewest = column == "p_uncovered" ? 1 : 20; // ranks among draws of labels seldom tie
    QVERIFY2(ties >= fewest, qPrintable(QString::number(ties)));
}

void RankingCaptionsTest::definesWhatATileSays() {
    Ranked ranked(test::judgedAudit(16));
    ranked.model.setOrder({"copy_ratio", Qt::AscendingOrder});
    QVERIFY(ranked.cells.note(0, 0).startsWith("<p>Equal to real sample "));
    QVERIFY(ranked.cells.note(test::JudgedRows::kExactCopies, 0)
                .contains("times closer to its nearest real sample than any other real sample is"));
    ranked.model.setOrder({"coverage", Qt::AscendingOrder, Side::Real}); // 0 in many of them, and then the evidence
    QVERIFY(ranked.cells.note(0, 0).contains("times as far away as its nearest real ones"));
    ranked.model.setOrder({"id", Qt::AscendingOrder});
    QCOMPARE(ranked.cells.note(0, 0), QString());
}

void RankingCaptionsTest::wordsOfVerdicts() {
    const Column& verdict = *findColumn("verdict");
    const QStringList words{"good", "unrealistic", "crowded", "copy", "invented"};
    for (int value = 0; value < words.size(); ++value) {
        QCOMPARE(verdictWord(static_cast<Verdict>(value)), words[value]);
        QCOMPARE(formatValue(value, verdict), words[value]);
    }
    QCOMPARE(formatValue(1.0, *findColumn("coverage_verdict")), QString("missed"));
    QCOMPARE(formatValue(2.0, *findColumn("coverage_verdict")), QString("thin"));
    QCOMPARE(formatValue(0.0, *findColumn("coverage_verdict")), QString("covered"));
}

void RankingCaptionsTest::roundsToSignificantDigits() {
    QCOMPARE(formatSignificant(11.994, 2), QString("12"));
    QCOMPARE(formatSignificant(193.4, 2), QString("190"));
    QCOMPARE(formatSignificant(9.96, 2), QString("10"));
    QCOMPARE(formatSignificant(3.14159, 3), QString("3.14"));
    QCOMPARE(formatSignificant(3.0, 3), QString("3.00"));
    QCOMPARE(formatSignificant(12345.6, 3), QString("12,300"));
    QCOMPARE(formatSignificant(5.762e99, 3), QString("5.76E+99"));
    QCOMPARE(formatSignificant(0.0, 3), QString("0"));
    QCOMPARE(roundedTo(9.96, 2), roundedTo(10.04, 2));
    QVERIFY(roundedTo(5.465, 3) != roundedTo(5.475, 3));
}

void RankingCaptionsTest::namesThePublishedCopy() {
    if (test::takesSmallSizes())
        QSKIP("ten thousand digits, at full size only");
    if (!test::sharedFile("data/mnist/real.npz"))
        QSKIP("../shared/data/mnist is not here");
    const auto read = [](const std::string& name) {
        return readEmbeddings(*test::sharedFile("data/mnist/" + name + ".npz"));
    };
    AuditRequest request;
    request.real = read("real");
    for (const char* name : {"mixed30", "gan", "copycat"})
        request.models.push_back({name, read(name)});
    const auto audit = runAudit(request);
    Ranked copycat(audit, 2);
    QCOMPARE(copycat.cells.caption(0), QString("11.6%1 closer").arg(kTimes)); // than any other real sample
    QCOMPARE(copycat.model.sampleAt(0).row, 2113U);
}

ASSAY_TEST(ranking_captions_test, RankingCaptionsTest)
#include "ranking_captions_test.moc"
