#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/set_rules.h"
#include "tests/engine/support/sample_sets.h"
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
    model.columns = {
        {"fidelity", std::vector<double>{0.0, 0.2, 0.5, 1.0, kNan}}, {"authentic", std::vector<double>{1, 0, 1, 0, 1}},
        {"pce", std::vector<double>{3.5, -0.25, 0, 1, 2}},           {"verdict", std::vector<double>{0, 3, 1, 0, 2}},
        {"p_any", std::vector<double>{0.9, 0.01, 0.3, 0.2, 0.5}},    {"coverage", std::vector<double>{1, 1, 1}}};
    return model;
}

/// Eight real samples, six of them of class "a"; the five synthetic ones are "a b b b c".
AuditResult makeAudit() {
    const auto labelled = [](std::size_t rows, const std::vector<std::string>& labels) {
        EmbeddingParts parts;
        parts.rows = rows;
        parts.dim = 1;
        parts.values = std::vector<float>(rows);
        parts.labels = labelsFromText(labels);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    auto real = std::make_shared<RealAnalysis>();
    real->set = labelled(8, {"a", "a", "a", "b", "a", "a", "b", "a"});
    ModelAudit model = makeModel();
    model.set = labelled(5, {"a", "b", "b", "b", "c"});
    AuditResult audit;
    audit.real = real;
    audit.models = {std::make_shared<const ModelAudit>(std::move(model))};
    return audit;
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
    void refusesBoundsThatDoNotFit_data();
    void refusesBoundsThatDoNotFit();
    void looksAtTags();
    void keepsOneOfNearDuplicates();
    void readyRulesFit();
    void rulesOnSetsRejectTheirRows();
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
    QTest::newRow("between, both ends included") << FilterRules{{"pce", Bound::Between, 0, 2}} << std::string("00111");
    QTest::newRow("a range rejected; NaN is in none")
        << FilterRules{{"fidelity", Bound::Between, 0.2, 0.5, {}, Effect::Reject}} << std::string("10011");
    QTest::newRow("highest, of two fifths") << FilterRules{{"pce", Bound::Highest, 0.4}} << std::string("10001");
    QTest::newRow("highest rejected") << FilterRules{{"pce", Bound::Highest, 0.4, 0, {}, Effect::Reject}}
                                      << std::string("01110");
    QTest::newRow("lowest; of equal values the first, NaN never")
        << FilterRules{{"authentic", Bound::Lowest, 0.6, 0, {}, Effect::Reject}} << std::string("00101");
    QTest::newRow("a word") << FilterRules{{"verdict", Bound::Is, 0, 0, "copy", Effect::Reject}}
                            << std::string("10111");
    QTest::newRow("only a word") << FilterRules{{"verdict", Bound::Is, 0, 0, "good"}} << std::string("10010");
    QTest::newRow("a class") << FilterRules{{"class", Bound::Is, 0, 0, "b", Effect::Reject}} << std::string("10001");
    QTest::newRow("only a class") << FilterRules{{"class", Bound::Is, 0, 0, "b"}} << std::string("01110");
    QTest::newRow("an unknown class") << FilterRules{{"class", Bound::Is, 0, 0, "x", Effect::Reject}}
                                      << std::string("11111");
    // b has two of eight real samples, so two of five may stay, and c none; the first b has the smallest p_any.
    QTest::newRow("surplus of classes") << FilterRules{{"class_surplus", Bound::AtLeast, 1, 0, {}, Effect::Reject}}
                                        << std::string("10110");
    FilterRules any{{"fidelity", Bound::AtLeast, 1.0}, {"pce", Bound::AtMost, -0.25}};
    any.match = RuleMatch::Any;
    QTest::newRow("any rule") << any << std::string("01010");
    FilterRules none;
    none.match = RuleMatch::Any;
    QTest::newRow("any of no rules") << none << std::string("11111");
    QTest::newRow("nothing left") << FilterRules{{"pce", Bound::AtLeast, 99}} << std::string("00000");
}

void FilterTest::keepsWhatEveryRuleAllows() {
    QFETCH(FilterRules, rules);
    QFETCH(std::string, kept);
    const AuditResult audit = makeAudit();
    const AppliedFilter outcome(audit, 0, {rules});
    QCOMPARE(text(outcome.kept()), kept);
    const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), '1'));
    QCOMPARE(outcome.keptCount(), count);
    QCOMPARE(outcome.rejectedCount(), kept.size() - count);
    for (std::size_t row = 0; row < kept.size(); ++row)
        QCOMPARE(outcome.reason(row).empty(), outcome.kept()[row]);
    // As text and back.
    QCOMPARE(rulesFromJson(rulesToJson(rules)), rules);
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
        const AuditResult audit = makeAudit();
        AppliedFilter(audit, 0, {rules});
        QFAIL("accepted");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::InvalidArgument);
        QVERIFY2(QString::fromUtf8(error.what()).contains(column), error.what());
    }
}

void FilterTest::refusesBoundsThatDoNotFit_data() {
    QTest::addColumn<FilterRules>("rules");
    QTest::addColumn<QString>("named");
    QTest::newRow("a word on numbers") << FilterRules{{"pce", Bound::Is, 0, 0, "good"}} << "numbers";
    QTest::newRow("an unknown word") << FilterRules{{"verdict", Bound::Is, 0, 0, "fine"}} << "'fine'";
    QTest::newRow("a share of two") << FilterRules{{"pce", Bound::Highest, 2.0}} << "from 0 to 1";
    QTest::newRow("a bound on classes") << FilterRules{{"class", Bound::AtLeast, 2.0}} << "word";
    QTest::newRow("a tag of ten") << FilterRules{{"tag", Bound::Is, 0, 0, "10"}} << "1 to 9";
}

void FilterTest::refusesBoundsThatDoNotFit() {
    QFETCH(FilterRules, rules);
    QFETCH(QString, named);
    const AuditResult audit = makeAudit();
    for (const bool applied : {true, false})
        try {
            if (applied)
                AppliedFilter(audit, 0, {rules});
            else
                requireRules(audit, 0, rules.list);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::InvalidArgument);
            QVERIFY2(QString::fromUtf8(error.what()).contains(named), error.what());
        }
}

void FilterTest::looksAtTags() {
    const AuditResult audit = makeAudit();
    auto tags = std::make_shared<SampleTags>();
    tags->give(3, SampleSet{{syntheticSet(0), 1}, {syntheticSet(0), 4}, {SetId::Real, 2}});
    SampleFilter filter{FilterRules{{"tag", Bound::Is, 0, 0, "3", Effect::Reject}}};
    QCOMPARE(text(AppliedFilter(audit, 0, filter).kept()), std::string("11111"));
    filter.tags = tags;
    QCOMPARE(text(AppliedFilter(audit, 0, filter).kept()), std::string("10110"));
    QCOMPARE(AppliedFilter(audit, 0, filter).reason(1), std::string("tag 3"));
}

void FilterTest::keepsOneOfNearDuplicates() {
    test::Matrix fake = test::gaussian(120, 4, 2);
    for (const std::size_t copy : {7, 50, 90}) // of row 3
        std::copy_n(fake.values.begin() + 4 * 3, 4, fake.values.begin() + static_cast<std::ptrdiff_t>(4 * copy));
    AuditRequest request;
    request.real = test::asSet(test::gaussian(150, 4, 1), "real");
    request.models = {{"gan", test::asSet(fake, "gan")}};
    const auto audit = runAudit(request);
    SampleFilter filter{FilterRules{findReadyRule("near_duplicate")->rule}};
    const AppliedFilter applied(*audit, 0, filter);
    for (const std::size_t row : {7, 50, 90}) {
        QVERIFY(!applied.kept()[row]);
        QCOMPARE(applied.reason(row), std::string("samples nearly the same as an earlier one"));
    }
    QVERIFY(applied.kept()[3]);
    QVERIFY(applied.rejectedCount() <= 3 + 4); // and few others
    const std::vector<std::string> rules{"near_duplicate"};
    filter.found = rowsOfSets(*audit, 0, rules);
    QCOMPARE(AppliedFilter(*audit, 0, filter).kept(), applied.kept());
}

void FilterTest::readyRulesFit() {
    const AuditResult audit = makeAudit();
    QVERIFY(!readyRules().empty());
    for (const ReadyRule& ready : readyRules()) {
        requireRules(audit, 0, std::span(&ready.rule, 1));
        QCOMPARE(rulesFromJson(rulesToJson({ready.rule})), FilterRules{ready.rule});
        QCOMPARE(findReadyRule(ready.id), &ready);
    }
    QCOMPARE(findReadyRule("x"), nullptr);
    // As files and scripts of 0.2.0 have it.
    QCOMPARE(findReadyRule("over_represented"), findReadyRule("crowded"));
    QCOMPARE(rulesFromJson(R"([{"column":"verdict","bound":"is","word":"over_represented","effect":"reject"}])"),
             FilterRules{findReadyRule("crowded")->rule});
}

void FilterTest::rulesOnSetsRejectTheirRows() {
    test::Matrix fake = test::gaussian(120, 4, 2);
    std::copy_n(fake.values.begin(), 4, fake.values.begin() + 4 * 60); // row 60 is row 0
    AuditRequest request;
    request.real = test::asSet(test::gaussian(150, 4, 1), "real");
    request.models = {{"gan", test::asSet(fake, "gan")}};
    const auto audit = runAudit(request);
    for (const SetRule& rule : setRules()) {
        const std::vector<std::uint32_t> rows = rule.rows(*audit, 0);
        QVERIFY(std::ranges::is_sorted(rows, std::less_equal()));
        const AppliedFilter applied(*audit, 0, {FilterRules{rule.rule()}});
        QCOMPARE(applied.rejectedCount(), rows.size());
        for (const std::uint32_t row : rows)
            QCOMPARE(applied.reason(row), std::string(rule.samples));
    }
}

void FilterTest::saysWhyASampleIsRejected() {
    const AuditResult audit = makeAudit();
    const FilterRules rules{
        {"fidelity", Bound::AtLeast, 0.5}, {"authentic", Bound::AtLeast, 1}, {"pce", Bound::AtMost, 3.0}};
    QCOMPARE(AppliedFilter(audit, 0, {rules}).reason(0), std::string("fidelity 0 < 0.5; pce 3.5 > 3"));
    QCOMPARE(AppliedFilter(audit, 0, {rules}).reason(1), std::string("fidelity 0.2 < 0.5; not authentic"));
    QCOMPARE(AppliedFilter(audit, 0, {rules}).reason(2), std::string());
    QCOMPARE(AppliedFilter(audit, 0, {rules}).reason(4), std::string("fidelity nan is not >= 0.5"));
    const FilterRules others{{"pce", Bound::Between, 1, 2},
                             {"pce", Bound::AtLeast, 3, 0, {}, Effect::Reject},
                             {"verdict", Bound::Is, 0, 0, "copy", Effect::Reject},
                             {"class", Bound::Is, 0, 0, "a"},
                             {"fidelity", Bound::Lowest, 0.2, 0, {}, Effect::Reject}};
    const AppliedFilter applied(audit, 0, {others});
    QCOMPARE(applied.reason(0),
             std::string("pce 3.5 not in 1 to 2; pce 3.5, in >= 3; fidelity 0, in the lowest 20 % by fidelity"));
    QCOMPARE(applied.reason(1), std::string("pce -0.25 not in 1 to 2; verdict copy; not class a"));
}

void FilterTest::rejectsByHandBesideTheRules() {
    const AuditResult audit = makeAudit();
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.5}};
    const std::vector<std::uint32_t> rows{0, 2};
    const AppliedFilter outcome(audit, 0, {rules, rows});
    QCOMPARE(text(outcome.kept()), std::string("00010"));
    QCOMPARE(outcome.keptCount(), std::size_t{1});
    QCOMPARE(outcome.rejectedCount(), std::size_t{4});
    QCOMPARE(AppliedFilter(audit, 0, {rules, rows}).reason(0), std::string("fidelity 0 < 0.5; rejected by hand"));
    QCOMPARE(AppliedFilter(audit, 0, {rules, rows}).reason(2), std::string("rejected by hand"));
    QCOMPARE(AppliedFilter(audit, 0, {rules, rows}).reason(3), std::string());
    const std::vector<std::uint32_t> beyond{5};
    QVERIFY_EXCEPTION_THROWN(AppliedFilter(audit, 0, {{}, beyond}), Error);
    // What is kept by hand is kept whatever the rules say; what is rejected by hand is not.
    const SampleFilter accepting{rules, {0}, {0, 1}};
    QCOMPARE(text(AppliedFilter(audit, 0, accepting).kept()), std::string("01110"));
    QCOMPARE(AppliedFilter(audit, 0, accepting).reason(0), std::string("rejected by hand"));
}

void FilterTest::rulesSurviveJson() {
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.1}, {"pce", Bound::AtMost, -1e-7}};
    QCOMPARE(rulesToJson(rules), std::string(R"({"match":"all","rules":[)"
                                             R"({"column":"fidelity","bound":"at_least","value":0.1},)"
                                             R"({"column":"pce","bound":"at_most","value":-1e-07}]})"));
    QCOMPARE(rulesFromJson(rulesToJson(rules)), rules);
    QCOMPARE(rulesFromJson(R"([{"bound":"at_least","column":"fidelity","value":0.1},)"
                           R"({"bound":"at_most","column":"pce","value":-1e-07}])"),
             rules);
    QCOMPARE(rulesFromJson("[]"), FilterRules{});
    QCOMPARE(rulesFromJson(rulesToJson({})), FilterRules{});
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
    QTest::newRow("bad match") << QByteArray(R"({"match":"some","rules":[]})") << QStringLiteral("'match'");
    QTest::newRow("a misspelt effect") << QByteArray(
                                              R"([{"column":"pce","bound":"at_most","value":1,"efect":"reject"}])")
                                       << QStringLiteral("'efect'");
    QTest::newRow("an unknown effect") << QByteArray(
                                              R"([{"column":"pce","bound":"at_most","value":1,"effect":"drop"}])")
                                       << QStringLiteral("'effect'");
    QTest::newRow("no word") << QByteArray(R"([{"column":"class","bound":"is","value":1}])")
                             << QStringLiteral("'word'");
    QTest::newRow("a bound on classes") << QByteArray(R"([{"column":"class","bound":"at_most","value":1}])")
                                        << QStringLiteral("'is'");
    QTest::newRow("ends the wrong way round")
        << QByteArray(R"([{"column":"pce","bound":"between","value":2,"upper":1}])") << QStringLiteral("'upper'");
    QTest::newRow("more than all") << QByteArray(R"([{"column":"pce","bound":"highest","value":1.5}])")
                                   << QStringLiteral("from 0 to 1");
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
