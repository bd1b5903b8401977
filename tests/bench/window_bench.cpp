// How long the window does not answer: for each thing that a person does, the longest time that one event kept the
// thread of the window, on made-up sets. Needs a display: xvfb-run -a build/release/bin/bench_window
#include "engine/data/image_store.h"
#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/session/selection_commands.h"
#include "gui/window/command_box.h"
#include "gui/window/main_window.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/view/color_bar.h"
#include "widgets/tables/heat_table.h"
#include "widgets/tables/table_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFrame>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

using namespace assay;

namespace {

/// Notes the longest event.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_ > 0)
            return QApplication::notify(receiver, event);
        ++depth_;
        QElapsedTimer clock;
        clock.start();
        // Asked before: an event may delete who receives it.
        const bool paints =
            receiver->isWidgetType() && (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint);
        const bool handled = QApplication::notify(receiver, event);
        if (paints)
            notePaint();
        longest = std::max(longest, static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        if (clock.elapsed() > 2)
            quiet.restart();
        --depth_;
        return handled;
    }

    /// Starts to wait for the first picture of a panel.
    void awaitPaint(const QWidget* panel) {
        awaited_ = panel;
        firstPaint = -1.0;
        sinceAwaited_.start();
    }

    double longest = 0.0;     ///< ms
    double firstPaint = -1.0; ///< ms until something of the awaited panel was painted; negative: nothing was
    QElapsedTimer quiet;      ///< since the last event that took a while

private:
    /// Widgets are painted within an event of their window, whose end puts the picture on the screen.
    void notePaint() {
        if (awaited_ != nullptr && firstPaint < 0.0 && !awaited_->visibleRegion().isEmpty())
            firstPaint = static_cast<double>(sinceAwaited_.nsecsElapsed()) * 1e-6;
    }

    int depth_ = 0;
    const QWidget* awaited_ = nullptr;
    QElapsedTimer sinceAwaited_;
};

struct Sizes {
    std::size_t rows = 1'000'000;
    std::size_t dim = 16;
    std::size_t edge = 0; ///< of a picture in pixels; 0: none
    unsigned classes = 0; ///< 0: no labels
    bool useful = false;  ///< with labels and a held-out set
    bool quick = false;   ///< without what needs more than the passes: scoring millions takes minutes
};

/// A mixture of ten Gaussians; every fiftieth row of a synthetic set is noise.
std::shared_ptr<const EmbeddingSet> madeUp(const std::string& name, const Sizes& sizes, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    EmbeddingParts parts;
    parts.name = name;
    parts.rows = sizes.rows;
    parts.dim = sizes.dim;
    std::vector<float> values;
    values.reserve(sizes.rows * sizes.dim);
    for (std::size_t row = 0; row < sizes.rows; ++row) {
        const bool noise = seed > 1 && row % 50 == 0;
        for (std::size_t c = 0; c < sizes.dim; ++c)
            values.push_back((noise ? 9.0F : 1.0F) * normal(random) + (c == row % 10 % sizes.dim ? 6.0F : 0.0F));
    }
    parts.values = std::move(values);
    if (sizes.classes > 0) {
        for (unsigned one = 0; one < sizes.classes; ++one)
            parts.labels.names.push_back("class number " + std::to_string(one));
        for (std::size_t row = 0; row < sizes.rows; ++row) // some of another class than the Gaussian's
            parts.labels.code.push_back(static_cast<std::uint32_t>((row % 7 == 0 ? random() : row) % sizes.classes));
    }
    if (const std::size_t bytes = sizes.edge * sizes.edge * 3; bytes > 0) {
        std::vector<std::uint8_t> pixels(sizes.rows * bytes);
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<std::uint8_t>(i / bytes + i % 97);
        parts.images = std::make_shared<const ImageStore>(std::move(pixels), sizes.rows, sizes.edge, sizes.edge, 3);
    }
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

class Bench {
public:
    Bench(TimedApplication& application, const Sizes& sizes)
        : application_(application), quick_(sizes.quick), useful_(sizes.useful), session_(&selection_, calls(sizes)),
          window_(&session_, &theme_) {
        window_.resize(1440, 900);
        window_.show();
    }

    void open() {
        AuditFiles files;
        files.real = QStringLiteral("real");
        if (useful_)
            files.heldOut = QStringLiteral("held-out");
        files.options.tablesOnly = quick_;
        files.models = {{QStringLiteral("gan"), QStringLiteral("gan")}, {QStringLiteral("vae"), QStringLiteral("vae")}};
        session_.open(files);
        settle(true);
    }

    /// Prints the longest event of what `act` sets off.
    void measure(const char* name, const std::function<void()>& act) {
        application_.longest = 0.0;
        QTimer::singleShot(0, &application_, act);
        settle(false);
        std::printf("%-34s %8.0f ms\n", name, application_.longest);
        std::fflush(stdout);
    }

    /// The same of what is worked out beside the window, too, and how long that took.
    void measureWhole(const char* name, const std::function<void()>& act) {
        application_.longest = 0.0;
        QElapsedTimer clock;
        clock.start();
        QTimer::singleShot(0, &application_, act);
        settle(true);
        std::printf("%-34s %8.0f ms, all of it within %.1f s\n", name, application_.longest,
                    static_cast<double>(clock.elapsed()) * 1e-3);
        std::fflush(stdout);
    }

    /// Prints how long a panel that was never seen takes to show something, and the longest event until all is there.
    void measureFirstShowing(const QString& panel) {
        auto* dock = window_.findChild<QDockWidget*>(panel);
        if (dock == nullptr || !dock->visibleRegion().isEmpty())
            return;
        application_.longest = 0.0;
        QTimer::singleShot(0, &application_, [&] {
            application_.awaitPaint(dock->widget());
            dock->raise();
        });
        settle(false);
        std::printf("%-34s %8.0f ms, something to see after %.0f ms\n",
                    ("first showing: " + panel.toUtf8()).constData(), application_.longest, application_.firstPaint);
        std::fflush(stdout);
    }

    SampleId sample(std::uint32_t row) const { return {session_.state().currentSet(), row}; }
    void trigger(const char* action) { window_.findChild<QAction*>(QString::fromUtf8(action))->trigger(); }
    MainWindow& window() { return window_; }
    AuditSession& session() { return session_; }
    SampleSelection& selection() { return selection_; }

private:
    static EngineCalls calls(const Sizes& sizes) {
        EngineCalls calls = engineCalls();
        calls.readSet = [sizes](const SetFiles& files, const PreparationChoice&, const PreparationPtr&,
                                const JobContext&) {
            const std::string& file = files.embeddings;
            return madeUp(file, sizes, file == "real" ? 1 : file == "gan" ? 2 : file == "vae" ? 3 : 0);
        };
        return calls;
    }

    /// Until nothing has happened for a while; with `all`, until nothing runs in the background either.
    void settle(bool all) {
        constexpr qint64 kQuiet = 400;
        constexpr qint64 kLimit = 10000; // what is worked out beside the window goes on
        QElapsedTimer since;
        since.start();
        application_.quiet.restart();
        while (application_.quiet.elapsed() < kQuiet || (all && session_.isBusy())) {
            QTest::qWait(10);
            if (!all && since.elapsed() > kLimit)
                break;
        }
    }

    TimedApplication& application_;
    bool quick_;
    bool useful_;
    SampleSelection selection_;
    Theme theme_;
    AuditSession session_;
    MainWindow window_;
};

void measureSpace(Bench& bench) {
    auto* canvas = bench.window().findChild<space::SpaceCanvas*>();
    if (canvas == nullptr || !canvas->isVisible())
        return;
    const QPoint centre = canvas->rect().center();
    for (int step = 0; step < 5; ++step)
        bench.measure("hover over Space", [&] { QTest::mouseMove(canvas, centre + QPoint(7 * step, 5 * step)); });
    bench.measure("click in Space", [&] { QTest::mouseClick(canvas, Qt::LeftButton, {}, centre); });
    bench.measure("turn Space", [&] {
        QTest::mousePress(canvas, Qt::LeftButton, {}, centre);
        QMouseEvent move(QEvent::MouseMove, centre + QPoint(60, 20), canvas->mapToGlobal(centre + QPoint(60, 20)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas, &move);
    });
    bench.measure("let go of Space", [&] { QTest::mouseRelease(canvas, Qt::LeftButton, {}, centre); });
}

/// A wavy line around the middle.
void drawLasso(QWidget& canvas) {
    const QPointF middle = QRectF(canvas.rect()).center();
    const auto corner = [&](int step) {
        const double turn = 6.28 * step / 200.0;
        const double radius = 0.3 * canvas.height() * (1.0 + 0.3 * std::sin(9.0 * turn));
        return middle + QPointF(radius * std::cos(turn), radius * std::sin(turn));
    };
    QTest::mousePress(&canvas, Qt::LeftButton, {}, corner(0).toPoint());
    for (int step = 0; step < 200; ++step) {
        QMouseEvent move(QEvent::MouseMove, corner(step), canvas.mapToGlobal(corner(step)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&canvas, &move);
    }
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, corner(199).toPoint());
}

void measurePlane(Bench& bench) {
    auto* canvas = bench.window().findChild<space::SpaceCanvas*>();
    if (canvas == nullptr || !canvas->isVisible())
        return;
    const auto press = [&](const char* button) {
        bench.window().findChild<QAbstractButton*>(QString::fromUtf8(button))->click();
    };
    const auto choose = [&](const char* box, int index) {
        bench.window().findChild<QComboBox*>(QString::fromUtf8(box))->setCurrentIndex(index);
    };
    bench.measure("lasso in Space", [&] {
        press("spaceLasso");
        drawLasso(*canvas);
    });
    bench.measure("clear", [&] { bench.selection().clear(); });
    for (int index = 0; index < 3; ++index)
        bench.measure("colour Space by something else", [&] { choose("spaceColumn", index); });
    bench.measureWhole("lay Space flat", [&] { press("spaceFlat"); });
    bench.measure("lasso on the plane", [&] { drawLasso(*canvas); });
    bench.measure("clear", [&] { bench.selection().clear(); });
    auto* legend = bench.window().findChild<space::ColorBar*>();
    bench.measure("select by Space's legend",
                  [&] { QTest::mouseClick(legend, Qt::LeftButton, {}, legend->entryRect(0).center()); });
    bench.measure("clear", [&] { bench.selection().clear(); });
    bench.measureWhole("map the real density", [&] { choose("spaceMap", 1); });
    bench.measureWhole("map the difference", [&] { choose("spaceMap", 2); });
    for (int step = 0; step < 3; ++step)
        bench.measure("zoom on the plane", [&] {
            const QPointF at = QRectF(canvas->rect()).center();
            QWheelEvent wheel(at, canvas->mapToGlobal(at), {}, {0, 480}, {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(canvas, &wheel);
        });
    bench.measureWhole("lay columns along its axes", [&] { choose("spaceArrangement", 2); });
    choose("spaceMap", 0);
    choose("spaceArrangement", 0);
    press("spaceDeep");
    press("spaceMove");
}

/// The seventh of seven keys: no row's number has all of them, so that every one is looked at.
void measureCommandBox(Bench& bench) {
    auto* box = bench.window().findChild<CommandBox*>();
    box->open();
    for (int key = 0; key < 7; ++key)
        bench.measure(key < 6 ? "a key in the command box" : "a key that nothing fits",
                      [&] { QTest::keyClick(box, Qt::Key_7); });
    QTest::keyClick(box, Qt::Key_Escape);
}

void measureReview(Bench& bench, RankingModel& ranking) {
    bench.measure("begin a review", [&] { bench.trigger("actionReview"); });
    for (const char* verdict : {"actionAcceptByHand", "actionRejectByHand", "actionUnsureByHand"})
        bench.measure("judge, and on to the next", [&] { bench.trigger(verdict); });
    bench.measure("undo it", [&] { bench.trigger("actionUndo"); });
    bench.measure("list the undecided", [&] { ranking.setShow(RankingShow::Undecided); });
    bench.measure("judge one of those", [&] { bench.trigger("actionAcceptByHand"); });
    ranking.setShow(RankingShow::All);
    bench.trigger("actionReview");
}

/// From a slider's move to the scores of what is kept, while it goes on moving. The first move sets up what answers.
void measureScores(Bench& bench) {
    KeptScorer* scorer = bench.session().keptScorer();
    std::vector<double> waits;
    for (int step = 0; step < 21; ++step) {
        QElapsedTimer clock;
        QEventLoop loop;
        const auto stop = QObject::connect(scorer, &KeptScorer::changed, &loop, [&] {
            if (scorer->scores())
                loop.quit();
        });
        QTimer::singleShot(0, [&] {
            clock.start();
            bench.session().editor()->setRules({{"pce", Bound::AtMost, 2.0 - 0.05 * step}});
        });
        loop.exec();
        QObject::disconnect(stop);
        if (step > 0)
            waits.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    std::ranges::sort(waits);
    std::printf("%-34s %8.0f ms, longest %.0f ms\n", "scores after a slider's move", waits[waits.size() / 2],
                waits.back());
    bench.session().editor()->setRules({});
}

void measureClasses(Bench& bench) {
    auto* picker = bench.window().findChild<QComboBox*>(QStringLiteral("classesPicker"));
    auto* table = bench.window().findChild<HeatTable*>(QStringLiteral("nearestClassesTable"));
    if (picker == nullptr || !picker->isVisible())
        return;
    bench.measure("classes of nearest samples", [&] { picker->setCurrentIndex(1); });
    bench.measure("select a cell of classes", [&] { table->choose({0, 1}); });
    bench.measure("show only its samples", [&] { QTest::keyClick(table, Qt::Key_Return); });
    bench.measure("show all again", [&] { QTest::keyClick(table, Qt::Key_Return); });
    bench.measure("select all cells of classes", [&] { table->selectAll(); });
    bench.measure("change model behind classes", [&] { bench.trigger("actionNextModel"); });
    bench.measure("scores by class again", [&] { picker->setCurrentIndex(0); });
    bench.selection().clear();
}

void measureCompare(Bench& bench, std::size_t rows) {
    const auto* group = bench.window().findChild<QFrame*>(QStringLiteral("coverageGroup0"));
    if (group == nullptr || !group->isVisible())
        return;
    auto* select = group->findChild<QPushButton*>(QStringLiteral("coverageGroupSelect"));
    auto* only = group->findChild<QPushButton*>(QStringLiteral("coverageGroupOnly"));
    bench.measure("select real samples of a group", [&] { select->click(); });
    bench.measure("show only these", [&] { only->click(); });
    bench.measure("show all again", [&] { only->click(); });
    bench.measure("galleries of another real sample", [&] {
        bench.selection().select({SetId::Real, static_cast<std::uint32_t>(rows / 3)});
    });
    bench.measure("compare the other way round", [&] { bench.trigger("actionNextModel"); });
}

void measureFeatures(Bench& bench) {
    auto* table = bench.window().findChild<TableView*>(QStringLiteral("featuresTable"));
    if (table == nullptr || !table->isVisible())
        return;
    table->setFocus();
    for (int step = 0; step < 3; ++step)
        bench.measure("an arrow key in Features", [&] { QTest::keyClick(table, Qt::Key_Down); });
}

/// With the scores of the sample open, each with its rank.
void measureInspector(Bench& bench, std::size_t rows) {
    auto* toggle = bench.window().findChild<QAbstractButton*>(QStringLiteral("inspectorScoresToggle"));
    bench.measure("open the scores of a sample", [&] { toggle->click(); });
    for (std::uint32_t step = 1; step < 4; ++step)
        bench.measure("another sample with its scores",
                      [&] { bench.selection().select(bench.sample(static_cast<std::uint32_t>(rows / 5) * step)); });
    auto* slider = bench.window().findChild<QSlider*>(QStringLiteral("ruleSlider_fidelity"));
    for (int step = 0; step < 3; ++step)
        bench.measure("a step of a slider in Keep",
                      [&] { slider->setValue(slider->value() + std::max(1, slider->maximum() / 10)); });
    bench.session().editor()->setRules({});
    bench.measure("close the scores again", [&] { toggle->click(); });
}

void measureAll(Bench& bench, std::size_t rows) {
    AuditSession& session = bench.session();
    SampleSelection& selection = bench.selection();
    const auto at = [&](double share) {
        return bench.sample(static_cast<std::uint32_t>(share * static_cast<double>(rows)));
    };
    bench.measure("select one", [&] { selection.select(at(0.5)); });
    bench.measure("select another", [&] { selection.select(at(0.25)); });
    bench.measure("select all", [&] { selection.replace(SampleSet::all(session.state().currentSet(), rows)); });
    bench.measure("invert", [&] { bench.trigger("actionInvertSelection"); });
    bench.measure("invert one", [&] {
        selection.select(at(0.5));
        bench.trigger("actionInvertSelection");
    });
    bench.measure("clear", [&] { selection.clear(); });
    bench.measure("tick a rule", [&] { session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.1}}); });
    measureScores(bench);
    for (const double bound : {0.3, 0.5})
        bench.measure("drag a rule", [&] { session.editor()->setRules({{"fidelity", Bound::AtLeast, bound}}); });
    bench.measure("reject near duplicates",
                  [&] { session.editor()->addRules({findSetRule("near_duplicate")->rule()}); });
    bench.measure("undo that", [&] { bench.trigger("actionUndo"); });
    bench.measure("select all rejected", [&] { SelectionCommands(&session).rejected(); });
    bench.measure("undo", [&] { bench.trigger("actionUndo"); });
    bench.measure("redo", [&] { bench.trigger("actionRedo"); });
    bench.measure("select 10,000", [&] { selection.replace(SampleSet::all(session.state().currentSet(), 10'000)); });
    bench.measure("tag 10,000", [&] { bench.trigger("actionTag1"); });
    measureInspector(bench, rows);
    auto* ranking = bench.window().findChild<RankingView*>();
    measureReview(bench, *ranking->model());
    bench.measure("sort the ranking", [&] {
        ranking->model()->setOrder({"nearest_real_distance", Qt::DescendingOrder});
    });
    bench.measure("sort it by id", [&] { ranking->model()->setOrder({"id", Qt::DescendingOrder}); });
    bench.measure("group it by nearest real sample", [&] { ranking->setGrouping(RankingGrouping::Nearest); });
    auto* gallery = bench.window().findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
    bench.measure("select the largest group", [&] {
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, {}, gallery->headingRect(0).center());
    });
    bench.measure("show the nearest samples", [&] { ranking->setNearestShown(true); });
    bench.measure("scroll to its middle",
                  [&] { gallery->verticalScrollBar()->setValue(gallery->verticalScrollBar()->maximum() / 2); });
    bench.measure("ungroup it", [&] { ranking->setGrouping(RankingGrouping::None); });
    ranking->setNearestShown(false);
    bench.measure("list real samples, least covered", [&] {
        ranking->model()->setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    });
    bench.measure("list synthetic samples again", [&] { ranking->model()->setOrder({}); });
    auto* search = bench.window().findChild<QLineEdit*>(QStringLiteral("rankingSearch"));
    bench.measure("type in its search", [&] { QTest::keyClick(search, Qt::Key_7); });
    bench.measure("type more", [&] { QTest::keyClick(search, Qt::Key_7); });
    bench.measure("clear its search", [&] { search->clear(); });
    measureCommandBox(bench);
    bench.measure("show only selected", [&] { session.editor()->showOnlySelected(); });
    bench.measure("show all", [&] { session.editor()->showAll(); });
    for (const PanelRow& panel : panelCatalog()) {
        auto* dock = bench.window().findChild<QDockWidget*>(panel.id);
        const QByteArray name = "bring to the front: " + panel.id.toUtf8();
        bench.measure(name.constData(), [&] { dock->raise(); });
        if (panel.id == QLatin1String("space")) {
            measureSpace(bench);
            measurePlane(bench);
        }
        if (panel.id == QLatin1String("compare"))
            measureCompare(bench, rows);
        if (panel.id == QLatin1String("features"))
            measureFeatures(bench);
        if (panel.id == QLatin1String("classes"))
            measureClasses(bench);
    }
    bench.measure("change model", [&] { bench.trigger("actionNextModel"); });
}

} // namespace

int main(int argc, char** argv) {
    Sizes sizes;
    CLI::App options("Longest times that the window does not answer, in milliseconds");
    options.add_option("--rows", sizes.rows, "rows of each set")->capture_default_str();
    options.add_option("--dim", sizes.dim, "dimensions")->capture_default_str();
    options.add_option("--pictures", sizes.edge, "edge of a picture in pixels, 0: none")->capture_default_str();
    options.add_option("--classes", sizes.classes, "classes of the samples, 0: no labels")->capture_default_str();
    options.add_flag("--useful", sizes.useful, "labels and a held-out set, for Useful and Private");
    options.add_flag("--quick", sizes.quick, "scores only what the passes tell");
    CLI11_PARSE(options, argc, argv);
    if (sizes.useful && sizes.classes == 0)
        sizes.classes = 10;

    const QTemporaryDir home;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QSurfaceFormat format;
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    TimedApplication application(argc, argv);
    Bench bench(application, sizes);
    std::printf("%zu + %zu x %zu, pictures %zu x %zu x 3, two models\n", sizes.rows, sizes.rows, sizes.dim, sizes.edge,
                sizes.edge);
    bench.open();
    for (const PanelRow& panel : panelCatalog())
        bench.measureFirstShowing(panel.id);
    bench.window().findChild<QDockWidget*>(QStringLiteral("ranking"))->raise();
    measureAll(bench, sizes.rows);
    return 0;
}
