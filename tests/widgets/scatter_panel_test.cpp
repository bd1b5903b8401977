#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/charts/plot.h"
#include "widgets/scatter/scatter_panel.h"

#include <QtWidgets>

using namespace assay;

namespace {

/// Models that stand where the test says; long names when wanted.
std::shared_ptr<const AuditResult> auditWith(const std::vector<std::array<double, 2>>& scores,
                                             const std::string& name = "model") {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit({.models = 1}));
    const auto base = audit->models[0];
    audit->models.clear();
    for (const auto& score : scores) {
        auto model = std::make_shared<ModelAudit>(*base);
        model->name = name + "-" + std::to_string(audit->models.size());
        model->metrics = {{"clipped_density", score[0]},
                          {"clipped_coverage", score[1]},
                          {"authenticity", audit->models.size() == 1 ? 0.02 : 0.6},
                          {"pce", 1.5}};
        if (audit->models.size() == 1) {
            model->findings = {test::copiesFinding(0.98)};
            model->summary = model->findings.front().sentence;
        }
        audit->models.push_back(model);
    }
    return audit;
}

struct FidelityCoverageWindow : test::ShownView<ScatterPanel> {
    explicit FidelityCoverageWindow(const ViewState& state, QSize size = {420, 320}) : ShownView(state, size) {
        view.grab();
    }
    void click(QPoint point) { QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, point); }
    void askFor(QPoint point) {
        QHelpEvent help(QEvent::ToolTip, point, view.mapToGlobal(point));
        QCoreApplication::sendEvent(&view.plot(), &help);
    }
    PlotPoint pointOf(std::size_t model) const { return *view.plot().pointWithId(model); }
    QPoint markOf(std::size_t model) const { return view.plot().positionOf(pointOf(model)).toPoint(); }
    QLineF intervalLine(std::size_t model, Qt::Orientation along) const {
        return view.plot().intervalLine(pointOf(model), along);
    }
    QRectF countRect(std::size_t model) const { return view.plot().countRect(pointOf(model)); }
    QRectF nameRect(std::size_t model) const { return view.plot().nameRect(pointOf(model)); }
    std::optional<QPointF> keptMark() const {
        const auto point = view.plot().pointWithId(ScatterPanel::kKept);
        return point ? std::optional(view.plot().positionOf(*point)) : std::nullopt;
    }
};

} // namespace

class ScatterPanelTest : public QObject {
    Q_OBJECT

private slots:
    void marksStandWhereTheScoresAre();
    void crossesAreTheIntervals();
    void marksThatCoverEachOtherAreOne();
    void clickChoosesAModel();
    void arrowsGoToTheNeighbor();
    void hoverTellsEverything();
    void namesStayInsideAndApart();
    void namesKeepOffTheBadgeOfCoincidingModels();
    void badgesKeepOffOtherMarks();
    void saysNothingNewOnTheSameState();
    void leadsToWhatTheRulesKeep();
    void keysDoNothingWithoutModels();
};

void ScatterPanelTest::marksStandWhereTheScoresAre() {
    FidelityCoverageWindow window({auditWith({{0.0, 0.0}, {1.0, 1.0}, {0.5, 0.5}}), 0, nullptr});
    const QPoint low = window.markOf(0);
    const QPoint high = window.markOf(1);
    const QPoint middle = window.markOf(2);
    QVERIFY(low.x() < high.x() && low.y() > high.y());
    QVERIFY((middle - (low + high) / 2).manhattanLength() <= 3);
    QVERIFY(window.view.rect().contains(low) && window.view.rect().contains(high));
}

void ScatterPanelTest::crossesAreTheIntervals() {
    const auto audit = test::withModel(auditWith({{0.4, 0.6}, {0.9, 0.9}}), 0, [&](ModelAudit& model) {
        model.intervals = {{"clipped_density", 0.2, 0.7}, {"clipped_coverage", 0.55, 0.65}};
    });
    FidelityCoverageWindow window({audit, 0, nullptr});
    const QPointF mark = window.markOf(0);
    const QLineF across = window.intervalLine(0, Qt::Horizontal);
    const QLineF upwards = window.intervalLine(0, Qt::Vertical);
    QVERIFY(qAbs(across.y1() - mark.y()) < 1.0 && across.y1() == across.y2());
    QVERIFY(qAbs(upwards.x1() - mark.x()) < 1.0);
    QVERIFY(qAbs((mark.x() - across.x1()) / across.dx() - 0.4) < 0.02); // 0.2 of 0.5
    QVERIFY(upwards.length() > 0.0 && upwards.length() < across.length());
    QVERIFY(window.intervalLine(1, Qt::Horizontal).isNull()); // none was computed
}

void ScatterPanelTest::marksThatCoverEachOtherAreOne() {
    FidelityCoverageWindow window({auditWith({{1.0, 1.0}, {0.3, 0.4}, {1.0, 1.0}, {0.999, 1.0}}), 0, nullptr});
    QVERIFY((window.markOf(0) - window.markOf(3)).manhattanLength() <= 1); // none leaves its place
    ViewState state = window.view.state();
    for (const std::size_t next : {2, 3, 0}) { // each click takes the next one
        window.click(window.markOf(0));
        QCOMPARE(window.host.models.back(), next);
        state.model = next;
        window.view.showState(state);
    }
    const QPoint mark = window.markOf(2);
    window.askFor(mark);
    QVERIFY(QToolTip::text().contains("3 models"));
    QToolTip::hideText();
}

void ScatterPanelTest::clickChoosesAModel() {
    FidelityCoverageWindow window({auditWith({{0.2, 0.8}, {0.95, 0.3}, {0.6, 0.6}, {0.9, 0.96}}), 0, nullptr});
    window.click(window.markOf(2));
    window.click(window.markOf(2)); // already current
    window.view.grab();
    window.click(window.nameRect(0).center().toPoint());
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 0}));
    window.click(QPoint(window.view.width() / 2, 12));
    QCOMPARE(window.host.models.size(), 2U);
    test::shoot(window.view, "scatter");
}

void ScatterPanelTest::arrowsGoToTheNeighbor() {
    FidelityCoverageWindow window({auditWith({{0.5, 0.5}, {0.1, 0.9}, {0.9, 0.2}}), 0, nullptr});
    for (Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left, Qt::Key_Left, Qt::Key_Left})
        QTest::keyClick(&window.view.plot(), key);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 0, 1}));
}

void ScatterPanelTest::hoverTellsEverything() {
    FidelityCoverageWindow window({auditWith({{0.5, 0.5}, {0.1, 0.9}}), 0, nullptr});
    const QPoint mark = window.markOf(1);
    window.askFor(mark);
    QVERIFY(QToolTip::text().contains("model-1"));
    QVERIFY(QToolTip::text().contains("98 %"));
    QVERIFY(QToolTip::text().contains("Clipped coverage"));
    QToolTip::hideText();
}

void ScatterPanelTest::namesStayInsideAndApart() {
    FidelityCoverageWindow window({auditWith({{1.0, 1.0}, {0.99, 0.98}, {0.0, 0.0}, {1.0, 0.0}, {0.98, 0.99}},
                                             "a-very-long-name-of-a-diffusion-model-with-guidance"),
                                   0, nullptr},
                                  {360, 280});
    std::vector<QRectF> rects;
    for (std::size_t model = 0; model < 5; ++model)
        rects.push_back(window.nameRect(model));
    for (std::size_t a = 0; a < rects.size(); ++a) {
        if (rects[a].isNull())
            continue;
        QVERIFY(QRectF(window.view.rect()).contains(rects[a]));
        for (std::size_t b = a + 1; b < rects.size(); ++b)
            QVERIFY(!rects[a].intersects(rects[b]));
    }
    QVERIFY2(!rects[0].isNull(), "the current model is named");
    test::shoot(window.view, "scatter-crowded");
}

void ScatterPanelTest::namesKeepOffTheBadgeOfCoincidingModels() {
    FidelityCoverageWindow window({auditWith({{1.0, 1.0}, {0.4, 0.3}, {1.0, 1.0}}), 0, nullptr}, {360, 280});
    const QRectF badge = window.countRect(0);
    QVERIFY(!badge.isNull() && window.countRect(1).isNull() && window.countRect(2).isNull());
    for (std::size_t model = 0; model < 3; ++model)
        QVERIFY(!window.nameRect(model).isNull() && !window.nameRect(model).intersects(badge));
}

void ScatterPanelTest::badgesKeepOffOtherMarks() {
    // Pairs of models, each below and to the right of the pair before: where badges are first.
    std::vector<std::array<double, 2>> scores;
    for (int pair = 0; pair < 5; ++pair)
        for (int twice = 0; twice < 2; ++twice)
            scores.push_back({0.4 + 0.04 * pair, 0.6 - 0.05 * pair});
    FidelityCoverageWindow window({auditWith(scores), 0, nullptr}, {420, 320});
    for (std::size_t model = 0; model < scores.size(); model += 2) {
        const QRectF badge = window.countRect(model);
        QVERIFY(!badge.isNull());
        for (std::size_t other = 0; other < scores.size(); other += 2) {
            if (other == model)
                continue;
            QVERIFY(!badge.intersects(window.countRect(other)));
            QVERIFY(!badge.contains(QPointF(window.markOf(other))));
        }
    }
}

void ScatterPanelTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    FidelityCoverageWindow window({audit, 1, nullptr});
    window.view.showState({audit, 1, nullptr});
    window.view.showState({audit, 2, nullptr});
    QVERIFY(window.host.models.empty());
}

void ScatterPanelTest::leadsToWhatTheRulesKeep() {
    const auto audit = auditWith({{0.9, 0.9}, {0.3, 0.6}, {0.8, 0.2}});
    const auto kept = std::make_shared<const std::vector<bool>>(audit->models[1]->set->rows(), true);
    FidelityCoverageWindow window({audit, 1, kept});
    QVERIFY(!window.keptMark());
    const auto scored = [&](const WhatIfResult& scores) {
        ViewState state{audit, 1, kept};
        state.computed.keptScores = std::make_shared<const WhatIfResult>(scores);
        return state;
    };
    WhatIfResult result{17, {{"clipped_density", 0.8}, {"clipped_coverage", 0.2}, {"coverage", 0.1}}};
    window.view.showState(scored(result));
    const auto mark = window.keptMark();
    QVERIFY(mark && QLineF(*mark, window.markOf(2)).length() < 2.0);
    result.metrics = {{"clipped_density", 0.6}, {"clipped_coverage", 0.3}, {"coverage", 0.05}};
    window.view.showState(scored(result));
    const QPoint at = window.keptMark()->toPoint();
    window.askFor(at);
    QVERIFY(QToolTip::text().contains("17") && QToolTip::text().contains("0.600"));
    test::shoot(window.view, "scatter-kept");
    window.view.showState({audit, 0, kept}); // of another model
    QVERIFY(!window.keptMark());
}

void ScatterPanelTest::keysDoNothingWithoutModels() {
    FidelityCoverageWindow window({});
    QTest::keyClick(&window.view.plot(), Qt::Key_Left);
    QVERIFY(window.host.models.empty());
}

ASSAY_TEST(scatter_panel_test, ScatterPanelTest)
#include "scatter_panel_test.moc"
