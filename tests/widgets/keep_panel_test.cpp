#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/common/number_format.h"
#include "widgets/keep/keep_panel.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/subsets/rules/set_rules.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QTextDocument>
#include <QtTest>

#include <algorithm>

using namespace assay;

namespace {

/// The panel with a small session behind it that applies the rules.
struct RulesWindow {
    SampleSelection selection;
    test::TestHost host{&selection};
    KeepPanel view{host};
    const std::vector<FilterRules>& edits = host.rules;
    const std::vector<ExportWhat>& exports = host.samplesExported;

    explicit RulesWindow(std::size_t model = 2) {
        view.resize(270, 420);
        view.showState({test::fakeAudit(), model, nullptr});
        host.onRules = [this](const FilterRules& rules) { apply(rules); };
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    void apply(const FilterRules& rules) {
        ViewState next = view.state();
        auto kept = std::make_shared<std::vector<bool>>(next.current().set->rows(), true);
        AppliedFilter applied(*next.audit, next.model, {rules});
        auto failing = std::make_shared<std::vector<std::size_t>>();
        for (std::size_t rule = 0; rule < rules.list.size(); ++rule)
            failing->push_back(applied.failing(rule));
        next.failingRules = failing;
        *kept = std::move(applied).kept();
        next.kept = kept;
        next.rules = std::make_shared<const FilterRules>(rules);
        view.showState(next);
    }
    void showRules(const FilterRules& rules) {
        ViewState next = view.state();
        next.rules = std::make_shared<const FilterRules>(rules);
        view.showState(next);
    }
    void showScores(const std::shared_ptr<const WhatIfResult>& scores) {
        ViewState next = view.state();
        next.computed.keptScores = scores;
        view.showState(next);
    }
    template <typename T>
    T* child(const char* name) const {
        return view.findChild<T*>(name);
    }
    /// Chooses from the menu of a rule.
    void choose(const char* column, const QString& text) const {
        auto* menu = child<QMenu>(qPrintable(QString("ruleMenu_%1").arg(column)));
        emit menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == text)
                return action->trigger();
        QFAIL(qPrintable(text));
    }
    void add(const char* column) const {
        auto* menu = child<QMenu>("ruleAddMenu");
        emit menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->data().toString() == QLatin1String(column))
                return action->trigger();
        QFAIL(column);
    }
    QString label(const char* name) const { return child<QLabel>(name)->text(); }
};

} // namespace

class KeepPanelTest : public QObject {
    Q_OBJECT

private slots:
    void aRuleTakenBackTakesItsRowAlong();
    void anotherAuditBeginsWithTheOfferedRules();
    void tabGoesFromTheTopToTheBottom();
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void sliderPutsARuleIntoForce();
    void spinBoxSetsAnExactValue();
    void switchKeepsOnlyAuthentic();
    void anOpenRuleRejectsNothing_data();
    void anOpenRuleRejectsNothing();
    void showsTheSessionsRulesSilently();
    void keepsRulesThatNoRowCanShow();
    void addsRulesFromTheCatalogue();
    void offersOtherKindsOfRules();
    void movesBothEndsOfARange();
    void rejectsWordsAndClasses();
    void putsReadyRulesIntoForce();
    void keepsWhatPassesOneOfTheRules();
    void boundsAreDraggedOnTheHistogram();
    void saysWhatEachRuleRejects();
    void removesARule();
    void resetDropsEverything();
    void exportsByButton();
    void buttonsStayInSightWhenRulesScroll();
    void rangesFollowTheModelButValuesStay();
    void showsTheScoresOfWhatIsKept();
    void countsFalseAlarmsAmongHeldOutSamples();
    void warnsWhenMoreIsRejectedThanIsBad();
    void sharesAgree();
    void teachesWhenEmpty();
};

void KeepPanelTest::sliderPutsARuleIntoForce() {
    RulesWindow window;
    auto* slider = window.child<QSlider>("ruleSlider_fidelity");
    QCOMPARE(slider->maximum(), 5); // 0, 1/5, .. 1
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(window.edits.size(), 2U);
    QCOMPARE(window.edits.back(), (FilterRules{{"fidelity", Bound::AtLeast, 0.4}}));
    QVERIFY(window.child<QCheckBox>("ruleCheck_fidelity")->isChecked());
    const auto& fidelity = window.view.state().current().column("fidelity");
    const auto kept = std::count_if(fidelity.begin(), fidelity.end(), [](double f) { return f >= 0.4; });
    QVERIFY(window.label("keptCount").contains(QString("<b>%1</b>").arg(kept)));
    QVERIFY(window.label("rejectedCount").contains(QString("<b>%1</b>").arg(80 - kept)));
    QVERIFY(window.label("keptCount").contains("%"));
    test::shoot(window.view, "rules");
    QTest::mouseClick(window.child<QCheckBox>("ruleCheck_fidelity"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(window.edits.back().empty());
    QCOMPARE(window.child<QDoubleSpinBox>("ruleSpin_fidelity")->value(), 0.4); // remembered
}

void KeepPanelTest::spinBoxSetsAnExactValue() {
    RulesWindow window;
    auto* spin = window.child<QDoubleSpinBox>("ruleSpin_pce");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, "1.25");
    QTest::keyClick(spin, Qt::Key_Return);
    QCOMPARE(window.edits, (std::vector<FilterRules>{{{"pce", Bound::AtMost, 1.25}}}));
}

void KeepPanelTest::switchKeepsOnlyAuthentic() {
    RulesWindow window(1);
    QTest::mouseClick(window.child<QCheckBox>("ruleCheck_authentic"), Qt::LeftButton, {}, QPoint(8, 8));
    QCOMPARE(window.edits.back(), (FilterRules{{"authentic", Bound::AtLeast, 1.0}}));
    QVERIFY(!window.child<QSlider>("ruleSlider_authentic"));
    QVERIFY(!window.child<QPushButton>("exportKept")->isEnabled() || !window.label("keptCount").contains("<b>0</b>"));
}

void KeepPanelTest::anOpenRuleRejectsNothing_data() {
    QTest::addColumn<QString>("column");
    QTest::newRow("fidelity") << "fidelity";
    QTest::newRow("pce") << "pce";
}

void KeepPanelTest::anOpenRuleRejectsNothing() {
    QFETCH(QString, column);
    RulesWindow window;
    auto* check = window.child<QCheckBox>(qPrintable("ruleCheck_" + column));
    QTest::mouseClick(check, Qt::LeftButton, {}, QPoint(8, 8));
    QCOMPARE(window.edits.size(), 1U);
    QCOMPARE(window.edits[0].list.size(), 1U);
    QVERIFY(window.label("rejectedCount").contains("<b>0</b>"));
}

void KeepPanelTest::showsTheSessionsRulesSilently() {
    RulesWindow window;
    const FilterRules rules{{"pce", Bound::AtMost, 0.123456789}, {"authentic", Bound::AtLeast, 1.0}};
    window.showRules(rules);
    window.showRules(rules);
    QVERIFY(window.edits.empty());
    QCOMPARE(window.view.rules(), rules); // exact, though the spin box rounds
    QVERIFY(!window.child<QCheckBox>("ruleCheck_fidelity")->isChecked());
    window.showRules({});
    QVERIFY(window.view.rules().empty());
}

void KeepPanelTest::keepsRulesThatNoRowCanShow() {
    RulesWindow window;
    const FilterRules rules{{"pce", Bound::AtMost, 2.0}, {"pce", Bound::AtLeast, -3.0}};
    window.showRules(rules);
    QCOMPARE(window.view.rules(), rules);
}

void KeepPanelTest::addsRulesFromTheCatalogue() {
    RulesWindow window;
    auto* menu = window.child<QMenu>("ruleAddMenu");
    emit menu->aboutToShow();
    QStringList offered;
    for (QAction* action : menu->actions())
        offered << action->data().toString();
    QVERIFY(offered.contains("nearest_real_distance") && offered.contains("re"));
    QVERIFY(offered.contains("pce")); // a second rule on it
    QVERIFY(!offered.contains("coverage") && !offered.contains("nearest_real"));
    menu->actions().at(offered.indexOf("nearest_real_distance"))->trigger();
    auto* slider = window.child<QSlider>("ruleSlider_nearest_real_distance");
    QVERIFY(slider);
    QCOMPARE(window.edits.size(), 1U); // whoever adds a rule wants it
    QCOMPARE(window.edits.back().list[0].column, std::string("nearest_real_distance"));
    slider->setValue(slider->maximum() / 2);
    QCOMPARE(window.edits.back().list[0].column, std::string("nearest_real_distance"));
    QCOMPARE(window.edits.back().list[0].bound, Bound::AtMost);
}

void KeepPanelTest::offersOtherKindsOfRules() {
    RulesWindow window;
    window.choose("pce", "Reject the highest n %");
    QCOMPARE(window.edits.back(), (FilterRules{{"pce", Bound::Highest, 0.05, 0.0, {}, Effect::Reject}}));
    QVERIFY(window.label("rejectedCount").contains("<b>4</b>")); // of 80
    window.child<QDoubleSpinBox>("ruleSpin_pce")->setValue(10.0);
    QCOMPARE(window.edits.back().list[0].value, 0.1);
    QVERIFY(window.label("rejectedCount").contains("<b>8</b>"));
    window.choose("pce", "Keep at least");
    QCOMPARE(window.edits.back().list[0].bound, Bound::AtLeast);
    QVERIFY(window.label("rejectedCount").contains("<b>0</b>")); // wide open on another scale
}

void KeepPanelTest::movesBothEndsOfARange() {
    RulesWindow window;
    QVERIFY(!window.child<QSlider>("ruleSlider_pce_upper")->isVisible());
    window.choose("pce", "Keep a range");
    auto* upper = window.child<QSlider>("ruleSlider_pce_upper");
    QVERIFY(upper->isVisible());
    QVERIFY(window.label("rejectedCount").contains("<b>0</b>"));
    upper->setValue(upper->maximum() / 2);
    window.child<QSlider>("ruleSlider_pce")->setValue(upper->maximum() / 4);
    const FilterRule rule = window.edits.back().list[0];
    QCOMPARE(rule.bound, Bound::Between);
    QVERIFY(rule.value < rule.upper);
    const auto& pce = window.view.state().current().column("pce");
    const auto kept = std::ranges::count_if(pce, [&](double v) { return v >= rule.value && v <= rule.upper; });
    QVERIFY(window.label("keptCount").contains(QString("<b>%1</b>").arg(kept)));
    // The lower end takes the upper one along.
    window.child<QSlider>("ruleSlider_pce")->setValue(upper->maximum());
    QCOMPARE(window.edits.back().list[0].upper, window.edits.back().list[0].value);
    test::shoot(window.view, "rules-range");
}

void KeepPanelTest::rejectsWordsAndClasses() {
    RulesWindow window(1);
    window.add("verdict");
    window.choose("verdict", "Reject");
    auto* words = window.child<QComboBox>("ruleWord_verdict");
    QTRY_VERIFY(words->isVisible());
    words->setCurrentIndex(words->findData("copy"));
    emit words->activated(words->currentIndex());
    QCOMPARE(window.edits.back(), (FilterRules{{"verdict", Bound::Is, 0.0, 0.0, "copy", Effect::Reject}}));
    const auto& verdict = window.view.state().current().column("verdict");
    const auto copies = std::ranges::count(verdict, static_cast<double>(Verdict::Copy));
    QVERIFY(copies > 0);
    QVERIFY(window.label("rejectedCount").contains(QString("<b>%1</b>").arg(copies)));
}

void KeepPanelTest::putsReadyRulesIntoForce() {
    RulesWindow window(1);
    auto* menu = window.child<QMenu>("ruleAddMenu");
    emit menu->aboutToShow();
    auto* copies = window.child<QAction>("ruleReady_copy");
    QVERIFY(copies && copies->isEnabled());
    QCOMPARE(menu->actions().front()->objectName(), QString("ruleReady_suspicious"));
    copies->trigger();
    QCOMPARE(window.edits.back(), FilterRules{findReadyRule("copy")->rule});
}

void KeepPanelTest::keepsWhatPassesOneOfTheRules() {
    RulesWindow window;
    QVERIFY(!window.child<QComboBox>("ruleMatch")->isVisible());
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.8}, {"pce", Bound::AtMost, 0.0}};
    window.showRules(rules);
    window.apply(rules);
    auto* match = window.child<QComboBox>("ruleMatch");
    QVERIFY(match->isVisible());
    match->setCurrentIndex(1);
    emit match->activated(1);
    QCOMPARE(window.edits.back().match, RuleMatch::Any);
    QCOMPARE(window.edits.back().list, rules.list);
    window.showRules(window.edits.back());
    QCOMPARE(window.view.rules(), window.edits.back());
}

void KeepPanelTest::boundsAreDraggedOnTheHistogram() {
    RulesWindow window;
    auto* histogram = window.child<QWidget>("ruleHistogram_pce");
    QVERIFY(histogram->isVisible());
    const QPoint middle = histogram->rect().center();
    QTest::mousePress(histogram, Qt::LeftButton, {}, middle);
    const double first = window.edits.back().list[0].value;
    QMouseEvent move(QEvent::MouseMove, middle + QPoint(30, 0), histogram->mapToGlobal(middle + QPoint(30, 0)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(histogram, &move);
    QVERIFY(window.edits.back().list[0].value > first);
    QVERIFY(window.child<QCheckBox>("ruleCheck_pce")->isChecked());
}

void KeepPanelTest::saysWhatEachRuleRejects() {
    RulesWindow window;
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.8}, {"pce", Bound::AtMost, 0.0}};
    window.showRules(rules);
    window.apply(rules);
    for (const char* column : {"fidelity", "pce"}) {
        const auto& values = window.view.state().current().column(column);
        const auto failing =
            std::ranges::count_if(values, [&](double v) { return *column == 'f' ? !(v >= 0.8) : !(v <= 0.0); });
        const QString text = window.label(qPrintable(QString("ruleTaken_%1").arg(column)));
        QVERIFY2(text.startsWith(QString("rejects %1 (").arg(failing)), qPrintable(text));
    }
}

void KeepPanelTest::removesARule() {
    RulesWindow window;
    const FilterRules rules{{"pce", Bound::AtMost, 2.0}, {"pce", Bound::AtLeast, -3.0}};
    window.showRules(rules);
    window.choose("pce", "Remove this rule");
    QCOMPARE(window.edits.back(), FilterRules{rules.list[1]});
    QCOMPARE(window.view.rules(), window.edits.back());
}

void KeepPanelTest::resetDropsEverything() {
    RulesWindow window;
    auto* reset = window.child<QPushButton>("rulesReset");
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY2(window.edits.empty(), "nothing to drop");
    window.child<QSlider>("ruleSlider_pce")->setValue(100);
    QTest::mouseClick(reset, Qt::LeftButton);
    QCOMPARE(window.edits.size(), 2U);
    QVERIFY(window.edits.back().empty());
    QVERIFY(window.label("rejectedCount").contains("<b>0</b>"));
}

void KeepPanelTest::exportsByButton() {
    RulesWindow window;
    auto* rejected = window.child<QPushButton>("exportRejected");
    QVERIFY(!rejected->isEnabled());
    window.child<QSlider>("ruleSlider_fidelity")->setValue(5);
    QVERIFY(rejected->isEnabled());
    QTest::mouseClick(rejected, Qt::LeftButton);
    QTest::mouseClick(window.child<QPushButton>("exportKept"), Qt::LeftButton);
    QCOMPARE(window.exports, (std::vector{ExportWhat::Rejected, ExportWhat::Kept}));
}

void KeepPanelTest::buttonsStayInSightWhenRulesScroll() {
    RulesWindow window;
    window.view.resize(240, 260);
    for (const char* column : {"re", "nearest_real_distance"})
        window.add(column);
    for (const char* name : {"exportKept", "exportRejected", "rulesPropose", "rulesReset"})
        QTRY_COMPARE(window.child<QPushButton>(name)->visibleRegion().boundingRect(),
                     window.child<QPushButton>(name)->rect());
}

void KeepPanelTest::rangesFollowTheModelButValuesStay() {
    RulesWindow window(2);
    const FilterRules rules{{"pce", Bound::AtMost, 5.5}};
    window.showRules(rules);
    ViewState other = window.view.state();
    other.model = 0; // its PCE ends far below
    window.view.showState(other);
    auto* slider = window.child<QSlider>("ruleSlider_pce");
    QCOMPARE(slider->value(), slider->maximum());
    QCOMPARE(window.view.rules(), rules);
    QVERIFY(window.edits.empty());
}

void KeepPanelTest::showsTheScoresOfWhatIsKept() {
    RulesWindow window;
    const auto scoreOf = [&](const char* whose) {
        return window.label(qPrintable(QStringLiteral("%1_clipped_coverage").arg(QLatin1String(whose))));
    };
    const double all = window.view.state().current().metric("clipped_coverage");
    QCOMPARE(scoreOf("scoreOfAll"), formatNumber(all));
    QCOMPARE(scoreOf("scoreOfKept"), formatNumber(all)); // without a rule everything is kept
    window.apply({{"fidelity", Bound::AtLeast, 0.4}});
    QCOMPARE(scoreOf("scoreOfKept"), QStringLiteral("\u2013")); // not known yet
    WhatIfResult result{40, {}};
    for (const char* id : {"clipped_density", "clipped_coverage", "coverage", "authenticity", "pce"})
        result.metrics.push_back({id, 0.123});
    window.showScores(std::make_shared<const WhatIfResult>(result));
    QCOMPARE(scoreOf("scoreOfKept"), QStringLiteral("<b>0.123</b>"));
    QCOMPARE(scoreOf("scoreOfAll"), formatNumber(all));
    test::shoot(window.view, "rules-scores");
    window.apply({{"fidelity", Bound::AtLeast, 0.6}});
    QCOMPARE(scoreOf("scoreOfKept"), QStringLiteral("<b>0.123</b>")); // until the new ones are there
    auto* note = window.child<QLabel>("keptScoresNote");
    QVERIFY(!note->isVisible());
    window.apply({{"fidelity", Bound::AtLeast, 2.0}});
    window.showScores(nullptr);
    QCOMPARE(scoreOf("scoreOfKept"), QStringLiteral("\u2013"));
    QVERIFY(note->isVisible() && note->text().contains("5"));
    window.view.showState({window.view.state().audit, 1, nullptr});
    QVERIFY(!note->isVisible());
    QCOMPARE(scoreOf("scoreOfKept"), scoreOf("scoreOfAll"));
}

void KeepPanelTest::countsFalseAlarmsAmongHeldOutSamples() {
    RulesWindow window;
    auto* alarms = window.child<QLabel>("falseAlarms");
    QVERIFY(!alarms->isVisible());
    auto audit = std::make_shared<AuditResult>(*window.view.state().audit);
    auto heldOut = std::make_shared<HeldOutAnalysis>();
    heldOut->audit = audit->models[0];
    audit->heldOut = heldOut;
    window.view.showState({audit, 2, nullptr});
    QVERIFY(!alarms->isVisible()); // no rule, no false alarm
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.4}};
    window.showRules(rules);
    window.apply(rules);
    const auto& fidelity = audit->models[0]->column("fidelity");
    const auto rejected = std::count_if(fidelity.begin(), fidelity.end(), [](double f) { return f < 0.4; });
    QVERIFY(rejected > 0);
    QVERIFY(
        alarms->text().contains(formatPercent(static_cast<double>(rejected) / static_cast<double>(fidelity.size()))));
    test::shoot(window.view, "rules-held-out");
}

void KeepPanelTest::warnsWhenMoreIsRejectedThanIsBad() {
    RulesWindow window;
    auto audit = std::make_shared<AuditResult>(*window.view.state().audit);
    auto model = std::make_shared<ModelAudit>(*audit->models[2]);
    // The estimate of 0.2.0 counts samples that a lost region makes too frequent elsewhere; they are not bad for that.
    model->metrics.push_back({"estimated_bad", 0.8});
    model->intervals.push_back({"estimated_bad", 0.75, 0.85});
    model->metrics.push_back({"bad_share", 0.1});
    model->intervals.push_back({"bad_share", 0.05, 0.15});
    audit->models[2] = model;
    window.view.showState({audit, 2, nullptr});
    auto* warning = window.child<QLabel>("rulesWarning");
    const auto rejectHighest = [&](double share) {
        const FilterRules rules{{"pce", Bound::Highest, share, 0.0, {}, Effect::Reject}};
        window.showRules(rules);
        window.apply(rules);
    };
    rejectHighest(0.1);
    QVERIFY(!warning->isVisible());
    rejectHighest(0.5);
    QVERIFY(warning->isVisible());
    QVERIFY2(warning->text().contains("10 % (5.0 % to 15 %)"), qPrintable(warning->text()));
}

void KeepPanelTest::sharesAgree() {
    RulesWindow window;
    const auto audit = test::hugeAudit(4000, false);
    const auto shown = [&](const char* name) {
        QTextDocument text;
        text.setHtml(window.label(name));
        return text.toPlainText();
    };
    const auto reject = [&](std::size_t rows) {
        auto kept = std::make_shared<std::vector<bool>>(4000, true);
        std::fill_n(kept->begin(), rows, false);
        window.view.showState({audit, 0, kept});
    };
    reject(1);
    QCOMPARE(shown("keptCount"), QStringLiteral("Kept: 3,999 (> 99.9 %)"));
    QCOMPARE(shown("rejectedCount"), QStringLiteral("Rejected: 1 (< 0.1 %)"));
    reject(377);
    QCOMPARE(shown("keptCount"), QStringLiteral("Kept: 3,623 (90.6 %)"));
    QCOMPARE(shown("rejectedCount"), QStringLiteral("Rejected: 377 (9.4 %)"));
}

void KeepPanelTest::teachesWhenEmpty() {
    RulesWindow window;
    auto* hint = window.child<QLabel>("panelMessage");
    QVERIFY(!hint->isVisible());
    window.view.showState({});
    QVERIFY(hint->isVisible());
    QVERIFY(window.edits.empty());
}

void KeepPanelTest::aRuleTakenBackTakesItsRowAlong() {
    RulesWindow window;
    window.showRules({{{"verdict", Bound::AtMost, 0.0}, {"fidelity", Bound::AtLeast, 0.2}}});
    auto* check = window.child<QCheckBox>("ruleCheck_verdict");
    QVERIFY(check && check->isChecked());
    QTRY_VERIFY(check->isVisible());
    check->click(); // a person switches it off, and may want it again
    QVERIFY(check->isVisible() && !check->isChecked());
    check->click();
    window.showRules({}); // undone
    QTRY_VERIFY(!window.child<QCheckBox>("ruleCheck_verdict"));
    QVERIFY(window.child<QCheckBox>("ruleCheck_fidelity")->isVisible());
}

void KeepPanelTest::anotherAuditBeginsWithTheOfferedRules() {
    RulesWindow window;
    window.showRules({{{"verdict", Bound::AtMost, 0.0}}});
    window.child<QCheckBox>("ruleCheck_verdict")->click();
    QVERIFY(window.child<QCheckBox>("ruleCheck_verdict"));
    window.view.showState({test::fakeAudit({.seed = 99}), 0, nullptr});
    QTRY_VERIFY(!window.child<QCheckBox>("ruleCheck_verdict"));
    QVERIFY(window.child<QCheckBox>("ruleCheck_fidelity")->isVisible());
}

void KeepPanelTest::tabGoesFromTheTopToTheBottom() {
    RulesWindow window;
    window.view.resize(270, 1600);
    window.add("re"); // a row that came later
    QApplication::setActiveWindow(&window.view);
    window.child<QWidget>("ruleCheck_p_any")->setFocus();
    int above = -1;
    bool reachedTheLast = false;
    for (int stop = 0; stop < 60 && !reachedTheLast; ++stop) {
        const QWidget* focus = QApplication::focusWidget();
        const int top = focus->mapTo(&window.view, QPoint()).y() + focus->height() / 2;
        QVERIFY2(top >= above - focus->height() / 2, qPrintable(focus->objectName()));
        above = top;
        reachedTheLast = focus->objectName() == "rulesReset";
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QVERIFY(reachedTheLast);
}

ASSAY_TEST(keep_panel_test, KeepPanelTest)
#include "keep_panel_test.moc"
