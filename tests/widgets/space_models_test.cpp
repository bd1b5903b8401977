// The space view with the samples of all models.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/space_fixture.h"
#include "tests/widgets/support/space_window.h"
#include "tests/widgets/support/test_host.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/math/linear/pca.h"
#include "engine/report/space/sample_places.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/view/color_bar.h"
#include "widgets/space/view/sample_colors.h"
#include "widgets/space/view/space_view.h"

#include <QtTest>
#include <QtWidgets>

using namespace assay;
using test::SpaceFixture;

namespace {

constexpr std::size_t kModels = 12;

/// The small fixture with as many models, of 300, 10, 11, .. samples, placed by the real set's components.
SpaceFixture manyModels() {
    SpaceFixture fixture = test::smallFixture();
    auto audit = std::make_shared<AuditResult>(*fixture.state.audit);
    for (std::size_t m = 1; m < kModels; ++m) {
        auto model = std::make_shared<ModelAudit>(*audit->models[0]);
        model->name = "model " + std::to_string(m);
        model->set = test::setOf(test::cloud(9 + m, {0, 3, 0}, 1.0F, static_cast<unsigned>(m)), model->name);
        audit->models.push_back(model);
    }
    auto points = std::make_shared<SpacePoints>(*fixture.points);
    points->components =
        std::make_shared<const PrincipalComponents>(PrincipalComponents::fit(audit->real->set->matrix(), {}));
    points->real = points->components->project(audit->real->set->matrix());
    points->synthetic = points->components->project(audit->models[0]->set->matrix());
    fixture.state.audit = std::move(audit);
    fixture.points = std::move(points);
    return fixture;
}

} // namespace

class SpaceModelsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void placesModelsWhereTheyWouldBeThemselves();
    void placesAFairSampleOfLargeModels();
    void hasNoPlaceAmongNeighbors();
    void asksForTheOthersWhenColouredByModel();
    void drawsThemInColoursThatModelsKeep();
    void aClickInTheLegendChoosesAModel();
    void neverPicksASampleOfAnotherModel();
    void isNotOfferedForOneModel();

private:
    std::size_t asked() const { return host_->asked("other models"); }
    const space::Cloud& others() const {
        return view_->findChild<space::SpaceCanvas*>()->drawing().clouds[space::kOtherCloud];
    }
    space::ColorBar* legend() const { return view_->findChild<space::ColorBar*>(); }
    void chooseModel(std::size_t model) {
        ViewState state = view_->state();
        state.model = model;
        auto points = std::make_shared<SpacePoints>(*state.computed.points);
        points->synthetic = points->components->project(state.current().set->matrix());
        state.computed.points = points;
        view_->showState(state);
    }

    SpaceFixture fixture_ = manyModels();
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<test::TestHost> host_;
    std::unique_ptr<SpaceView> view_;
};

void SpaceModelsTest::initTestCase() {
    QApplication::setStyle(QStringLiteral("Fusion"));
}

void SpaceModelsTest::init() {
    view_.reset();
    selection_ = std::make_unique<SampleSelection>();
    host_ = std::make_unique<test::TestHost>(selection_.get());
    view_ = std::make_unique<SpaceView>(*host_);
    view_->resize(760, 560);
    view_->showState(test::placed(fixture_));
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void SpaceModelsTest::placesModelsWhereTheyWouldBeThemselves() {
    const auto& audit = fixture_.state.audit;
    const auto others = placeOtherModels({fixture_.points, audit, 3}, {});
    QVERIFY(!others->isSample);
    std::size_t at = 0;
    for (std::size_t m = 0; m < kModels; ++m) {
        if (m == 3)
            continue;
        for (const auto& point : fixture_.points->components->project(audit->models[m]->set->matrix())) {
            QCOMPARE(others->model[at], m);
            QCOMPARE(others->points[at], point);
            ++at;
        }
    }
    QCOMPARE(at, others->points.size());
}

void SpaceModelsTest::placesAFairSampleOfLargeModels() {
    auto audit = std::make_shared<AuditResult>(*fixture_.state.audit);
    auto large = std::make_shared<ModelAudit>(*audit->models[1]);
    large->set = test::setOf(test::cloud(3 * OtherModels::kMost, {0, 0, 0}, 1.0F, 9), "large");
    audit->models = {audit->models[0], large};
    const auto others = placeOtherModels({fixture_.points, audit, 0}, {});
    QVERIFY(others->isSample);
    QCOMPARE(others->points.size(), OtherModels::kMost);
    const auto all = fixture_.points->components->project(large->set->matrix());
    for (std::size_t i = 0; i < others->points.size(); ++i)
        QCOMPARE(others->points[i], all[3 * i]);
}

void SpaceModelsTest::hasNoPlaceAmongNeighbors() {
    auto points = std::make_shared<SpacePoints>(*fixture_.points);
    points->layout.arrangement = Arrangement::Neighbors;
    QVERIFY(placeOtherModels({points, fixture_.state.audit, 0}, {})->points.empty());
}

void SpaceModelsTest::asksForTheOthersWhenColouredByModel() {
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
    view_->setColorColumn(space::kColorByClass);
    QCOMPARE(asked(), std::size_t{0});
    QVERIFY(!others().points);
    view_->setColorColumn(space::kColorByModel);
    QCOMPARE(asked(), std::size_t{1});
    QVERIFY(others().points);
    selection_->select({syntheticSet(0), 1});
    selection_->clear();
    QCOMPARE(asked(), std::size_t{1}); // nothing has changed
    view_->setColorColumn(space::kColorBySet);
    QVERIFY(!others().points);
}

void SpaceModelsTest::drawsThemInColoursThatModelsKeep() {
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
    view_->setColorColumn(space::kColorByModel);
    const auto entries = legend()->legend().entries;
    // Real, ten models and one line for what is rejected.
    QCOMPARE(std::ranges::count_if(entries, [](const auto& entry) { return entry.model.has_value(); }), 9);
    QCOMPARE(legend()->legend().more, std::size_t{2});
    QVERIFY(view_->findChild<QLabel*>("spaceCaption")->text().contains("2 more models are not drawn."));
    // Models 10 and 11 are not drawn; their 19 and 20 samples are the last.
    QCOMPARE(std::ranges::count(*others().shown, false), 39);
    const auto colorOf = [&](const QString& name) {
        for (const auto& entry : legend()->legend().entries)
            if (entry.text == name)
                return entry.color;
        return QColor();
    };
    const QColor before = colorOf("model 4");
    QCOMPARE((*others().colors)[10 + 11 + 12], space::toRgb(before)); // the first sample of it
    chooseModel(11);
    QCOMPARE(colorOf("model 4"), before);
    QVERIFY(colorOf("model 11").isValid());
    QCOMPARE(legend()->legend().more, std::size_t{1});
    QVERIFY(std::ranges::none_of(others().points->begin(), others().points->end(),
                                 [](const auto& point) { return !space::isPlaced(point); }));
}

void SpaceModelsTest::aClickInTheLegendChoosesAModel() {
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
    view_->setColorColumn(space::kColorByModel);
    const auto& entries = legend()->legend().entries;
    const auto at = std::ranges::find(entries, QStringLiteral("model 4"), &space::ColorLegend::Entry::text);
    const QPoint place = legend()->entryRect(static_cast<std::size_t>(at - entries.begin())).center();
    QTest::mouseClick(legend(), Qt::LeftButton, {}, place);
    QCOMPARE(host_->models, (std::vector<std::size_t>{4}));
    QVERIFY(selection_->samples().empty());
    QTest::mouseDClick(legend(), Qt::LeftButton, {}, place);
    QVERIFY(host_->filters.empty());
}

void SpaceModelsTest::neverPicksASampleOfAnotherModel() {
    if (!view_->hasOpenGl())
        QSKIP("no OpenGL on this display");
    view_->setColorColumn(space::kColorByModel);
    auto* canvas = view_->findChild<space::SpaceCanvas*>();
    canvas->setTool(space::Tool::Rectangle);
    QTest::mousePress(canvas, Qt::LeftButton, {}, {1, 1});
    QTest::mouseMove(canvas, {canvas->width() / 2, canvas->height() / 2});
    QTest::mouseMove(canvas, {canvas->width() - 2, canvas->height() - 2});
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, {canvas->width() - 2, canvas->height() - 2});
    QVERIFY(selection_->samples().size() > 500);
    QCOMPARE(selection_->samples().in(SetId::Real).size() + selection_->samples().in(syntheticSet(0)).size(),
             selection_->samples().size());
}

void SpaceModelsTest::isNotOfferedForOneModel() {
    const auto ids = [](const ViewState& state) {
        QStringList found;
        for (const auto& choice : space::colorChoices(state))
            found << choice.id;
        return found;
    };
    QVERIFY(ids(fixture_.state).contains(space::kColorByModel));
    QVERIFY(!ids(test::smallFixture().state).contains(space::kColorByModel));
}

ASSAY_TEST(space_models_test, SpaceModelsTest)
#include "space_models_test.moc"
