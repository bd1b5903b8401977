#include "gui/session/tour.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <set>

using namespace assay;

class TourTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void leadsThroughAllModels();
    void barIsAsHighAsItsText();
    void canBeLeftAtAnyTime();
    void endsWithTheAudit();

private:
    void click(const char* button) {
        QTest::mouseClick(child<QToolButton>(button), Qt::LeftButton);
        test::settle();
    }
    bool isShown() const { return child<QToolBar>("tourBar")->isVisible(); }
};

void TourTest::initTestCase() {
    QVERIFY(openDemo());
}

void TourTest::init() {
    QVERIFY(demo_->reset());
    demo_->window.findChild<Tour*>()->end();
    demo_->selection.clear();
    QVERIFY(!isShown());
}

void TourTest::leadsThroughAllModels() {
    const auto audit = demo_->session.state().audit;
    const std::vector<TourStep> steps = tourOf(*audit);
    QVERIFY(steps.size() >= audit->models.size());
    child<QAction>("actionTour")->trigger();
    QVERIFY(isShown());
    std::set<std::size_t> models;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        models.insert(demo_->session.state().model);
        QCOMPARE(demo_->session.state().model, steps[at].model);
        QVERIFY(child<QLabel>("tourText")->text().startsWith(steps[at].sentence));
        QCOMPARE(demo_->selection.samples(), steps[at].samples);
        if (steps[at].example)
            QCOMPARE(demo_->selection.focus(), steps[at].example);
        QCOMPARE(child<QToolButton>("tourBack")->isEnabled(), at > 0);
        click("tourNext");
    }
    QVERIFY(!isShown()); // "Done" ends it
    QCOMPARE(models.size(), audit->models.size());
    child<QAction>("actionTour")->trigger();
    click("tourNext");
    const QString second = child<QLabel>("tourPlace")->text();
    click("tourNext");
    click("tourBack");
    QCOMPARE(child<QLabel>("tourPlace")->text(), second);
}

void TourTest::barIsAsHighAsItsText() {
    child<QAction>("actionTour")->trigger();
    const auto* text = child<QLabel>("tourText");
    const auto* button = child<QToolButton>("tourNext");
    for (const int width : {1600, 1440, 1024}) {
        demo_->window.resize(width, 900);
        for (std::size_t at = 0; at < 3; ++at) {
            QTRY_VERIFY2(child<QToolBar>("tourBar")->height() <=
                             std::max(text->heightForWidth(text->width()), button->height()) + 16,
                         qPrintable(text->text()));
            QVERIFY(text->height() >= text->heightForWidth(text->width())); // and no line is cut off
            click("tourNext");
        }
        click("tourBack");
        click("tourBack");
        click("tourBack");
    }
    demo_->window.resize(1440, 900);
    click("tourEnd");
}

void TourTest::canBeLeftAtAnyTime() {
    child<QAction>("actionTour")->trigger();
    QVERIFY(child<QAction>("actionTour")->isChecked());
    QTest::keyClick(&demo_->window, Qt::Key_Escape);
    QVERIFY(!isShown());
    QVERIFY(!child<QAction>("actionTour")->isChecked());
    child<QAction>("actionTour")->trigger();
    click("tourEnd");
    QVERIFY(!isShown());
}

void TourTest::endsWithTheAudit() {
    child<QAction>("actionTour")->trigger();
    QVERIFY(isShown());
    QVERIFY(demo_->open());
    QVERIFY(!isShown());
}

ASSAY_TEST(tour_test, TourTest)
#include "tour_test.moc"
