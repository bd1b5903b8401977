#include "engine/audit/audit_result.h"
#include "engine/audit/filter.h"
#include "engine/audit/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/job/error.h"
#include "engine/metrics/catalog.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace assay;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ModelAudit makeModel() {
    EmbeddingParts parts;
    parts.rows = 5;
    parts.dim = 1;
    parts.values = std::vector<float>{0, 1, 2, 3, 4};
    ModelAudit model;
    model.name = "gan";
    model.set = std::make_shared<const EmbeddingSet>(std::move(parts));
    model.columns = {{"fidelity", {0.0, 0.2, 0.5, 1.0, kNan}},
                     {"authentic", {1, 0, 1, 0, 1}},
                     {"pce", {3.5, -0.25, 0, 1, 2}},
                     {"coverage", {1, 1, 1}}};
    return model;
}

std::string text(const std::vector<bool>& kept) {
    std::string bits;
    for (const bool k : kept)
        bits += k ? '1' : '0';
    return bits;
}

} // namespace

Q_DECLARE_METATYPE(FilterRules)

class FilterTest : public QObject {
    Q_OBJECT

private slots:
    void keepsWhatEveryRuleAllows_data();
    void keepsWhatEveryRuleAllows();
    void refusesColumnsThatAreNotOfSyntheticSamples_data();
    void refusesColumnsThatAreNotOfSyntheticSamples();
    void saysWhyASampleIsRejected();
    void rejectsByHandBesideTheRules();
    void rulesSurviveJson();
    void refusesBrokenJsonByEntry_data();
    void refusesBrokenJsonByEntry();
    void numbersReadBackExactly_data();
    void numbersReadBackExactly();
};

void FilterTest::keepsWhatEveryRuleAllows_data() {
    QTest::addColumn<FilterRules>("rules");
    QTest::addColumn<std::string>("kept");
    QTest::newRow("no rules") << FilterRules{} << std::string("11111");
    QTest::newRow("at least, bound included; NaN is out")
        << FilterRules{{"fidelity", Bound::AtLeast, 0.5}} << std::string("00110");
    QTest::newRow("at most, bound included; NaN is out")
        << FilterRules{{"fidelity", Bound::AtMost, 0.5}} << std::string("11100");
    QTest::newRow("all rules at once") << FilterRules{{"fidelity", Bound::AtLeast, 0.2},
                                                      {"authentic", Bound::AtLeast, 1}}
                                       << std::string("00100");
    QTest::newRow("a range of one column")
        << FilterRules{{"pce", Bound::AtLeast, 0}, {"pce", Bound::AtMost, 2}} << std::string("00111");
    QTest::newRow("nothing left") << FilterRules{{"pce", Bound::AtLeast, 99}} << std::string("00000");
}

void FilterTest::keepsWhatEveryRuleAllows() {
    QFETCH(FilterRules, rules);
    QFETCH(std::string, kept);
    const FilterOutcome outcome = applyRules(makeModel(), {rules});
    QCOMPARE(text(outcome.kept), kept);
    const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), '1'));
    QCOMPARE(outcome.keptCount, count);
    QCOMPARE(outcome.rejectedCount, kept.size() - count);
}

void FilterTest::refusesColumnsThatAreNotOfSyntheticSamples_data() {
    QTest::addColumn<QString>("column");
    QTest::newRow("unknown") << QStringLiteral("no_such_column");
    QTest::newRow("of real samples") << QStringLiteral("coverage");
}

void FilterTest::refusesColumnsThatAreNotOfSyntheticSamples() {
    QFETCH(QString, column);
    const FilterRules rules{{column.toStdString(), Bound::AtLeast, 0.5}};
    try {
        applyRules(makeModel(), {rules});
        QFAIL("accepted");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::InvalidArgument);
        QVERIFY2(QString::fromUtf8(error.what()).contains(column), error.what());
    }
}

void FilterTest::saysWhyASampleIsRejected() {
    const ModelAudit model = makeModel();
    const FilterRules rules{
        {"fidelity", Bound::AtLeast, 0.5}, {"authentic", Bound::AtLeast, 1}, {"pce", Bound::AtMost, 3.0}};
    QCOMPARE(rejectionReason(model, {rules}, 0), std::string("fidelity 0 < 0.5; pce 3.5 > 3"));
    QCOMPARE(rejectionReason(model, {rules}, 1), std::string("fidelity 0.2 < 0.5; not authentic"));
    QCOMPARE(rejectionReason(model, {rules}, 2), std::string());
    QCOMPARE(rejectionReason(model, {rules}, 4), std::string("fidelity nan is not >= 0.5"));
    const FilterOutcome outcome = applyRules(model, {rules});
    for (std::size_t row = 0; row < outcome.kept.size(); ++row)
        QCOMPARE(rejectionReason(model, {rules}, row).empty(), outcome.kept[row]);
}

void FilterTest::rejectsByHandBesideTheRules() {
    const ModelAudit model = makeModel();
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.5}};
    const std::vector<std::uint32_t> rows{0, 2};
    const FilterOutcome outcome = applyRules(model, {rules, rows});
    QCOMPARE(text(outcome.kept), std::string("00010"));
    QCOMPARE(outcome.keptCount, std::size_t{1});
    QCOMPARE(outcome.rejectedCount, std::size_t{4});
    QCOMPARE(rejectionReason(model, {rules, rows}, 0), std::string("fidelity 0 < 0.5; rejected by hand"));
    QCOMPARE(rejectionReason(model, {rules, rows}, 2), std::string("rejected by hand"));
    QCOMPARE(rejectionReason(model, {rules, rows}, 3), std::string());
    const std::vector<std::uint32_t> beyond{5};
    QVERIFY_EXCEPTION_THROWN(applyRules(model, {{}, beyond}), Error);
}

void FilterTest::rulesSurviveJson() {
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.1}, {"pce", Bound::AtMost, -1e-7}};
    QCOMPARE(rulesToJson(rules), std::string(R"([{"bound":"at_least","column":"fidelity","value":0.1},)"
                                             R"({"bound":"at_most","column":"pce","value":-1e-07}])"));
    QCOMPARE(rulesFromJson(rulesToJson(rules)), rules);
    QCOMPARE(rulesFromJson("[]"), FilterRules{});
    QCOMPARE(rulesToJson({}), std::string("[]"));
}

void FilterTest::refusesBrokenJsonByEntry_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    QTest::newRow("no JSON") << QByteArray("[{") << QStringLiteral("JSON");
    QTest::newRow("no array") << QByteArray("{}") << QStringLiteral("array");
    QTest::newRow("no object") << QByteArray(R"([{"column":"pce","bound":"at_most","value":1},3])")
                               << QStringLiteral("entry 2");
    QTest::newRow("no column") << QByteArray(R"([{"bound":"at_most","value":1}])") << QStringLiteral("'column'");
    QTest::newRow("unknown column") << QByteArray(R"([{"column":"x","bound":"at_most","value":1}])")
                                    << QStringLiteral("\"x\"");
    QTest::newRow("a real column") << QByteArray(R"([{"column":"coverage","bound":"at_most","value":1}])")
                                   << QStringLiteral("\"coverage\"");
    QTest::newRow("bad bound") << QByteArray(R"([{"column":"pce","bound":"below","value":1}])")
                               << QStringLiteral("\"below\"");
    QTest::newRow("text as value") << QByteArray(R"([{"column":"pce","bound":"at_most","value":"1"}])")
                                   << QStringLiteral("'value'");
}

void FilterTest::refusesBrokenJsonByEntry() {
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    try {
        rulesFromJson(json.toStdString());
        QFAIL("accepted");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::BadInput);
        QVERIFY2(QString::fromUtf8(error.what()).contains(named), error.what());
    }
}

void FilterTest::numbersReadBackExactly_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0");
    QTest::newRow("row number") << 100000.0 << QStringLiteral("100000");
    QTest::newRow("negative") << -7.0 << QStringLiteral("-7");
    QTest::newRow("tenth") << 0.1 << QStringLiteral("0.1");
    QTest::newRow("third") << 1.0 / 3.0 << QStringLiteral("0.3333333333333333");
    QTest::newRow("tiny") << 1e-300 << QStringLiteral("1e-300");
    QTest::newRow("huge") << 1e300 << QStringLiteral("1e+300");
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << QStringLiteral("-inf");
}

void FilterTest::numbersReadBackExactly() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(numberText(value)), text);
    QCOMPARE(std::strtod(numberText(value).c_str(), nullptr), value);
}

ASSAY_TEST(filter_test, FilterTest)
#include "filter_test.moc"
