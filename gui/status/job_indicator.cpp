#include "gui/status/job_indicator.h"

#include "gui/desktop/icons.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kSteps = 1000;
constexpr int kStageWidth = 320;
constexpr int kTickMs = 500;

/// In the words of timeLeftText (engine/base/time_left.h), translated.
QString inWords(std::chrono::seconds left) {
    const auto total = static_cast<qlonglong>(left.count());
    if (total <= 0)
        return JobIndicator::tr("a few seconds left");
    if (total < 60)
        return JobIndicator::tr("about %1 s left").arg(formatCount(total));
    if (total < 3600)
        return total % 60 == 0
                   ? JobIndicator::tr("about %1 min left").arg(formatCount(total / 60))
                   : JobIndicator::tr("about %1 min %2 s left").arg(formatCount(total / 60), formatCount(total % 60));
    return total % 3600 == 0 ? JobIndicator::tr("about %1 h left").arg(formatCount(total / 3600))
                             : JobIndicator::tr("about %1 h %2 min left")
                                   .arg(formatCount(total / 3600), formatCount(total % 3600 / 60));
}

} // namespace

JobIndicator::JobIndicator(std::vector<Source> sources, QWidget* parent, Now now)
    : QWidget(parent), now_(std::move(now)), stage_(named<QLabel>("jobStage")),
      bar_(named<QProgressBar>("jobProgress")) {
    stage_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    stage_->setFixedWidth(kStageWidth);
    bar_->setRange(0, kSteps);
    // Wide enough for the longest words, so that nothing moves when they change.
    bar_->setFixedWidth(bar_->fontMetrics().horizontalAdvance(
                            tr("%1, %2").arg(tr("%1 %").arg(formatCount(88)), inWords(std::chrono::seconds(290)))) +
                        24);
    bar_->setMaximumHeight(stage_->sizeHint().height() + 2);
    auto* cancel =
        newButton<QToolButton>("jobCancel", tr("Cancel"), tr("Stop this job and keep what was open before (Ctrl+.)"));
    cancel->setAutoRaise(true);
    cancel->setIcon(icon(QStringLiteral("cancel")));
    cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    addAll(newLayout<QHBoxLayout>(this), stage_, bar_, cancel);
    connect(cancel, &QToolButton::clicked, this, [this] {
        const Source& source = watched_[shown_].source;
        if (source.cancel)
            source.cancel();
        else
            source.runner->cancel();
    });
    connect(&tick_, &QTimer::timeout, this, &JobIndicator::showTimeLeft);
    tick_.setInterval(kTickMs);
    for (Source& source : sources)
        add(std::move(source));
    refresh();
}

void JobIndicator::add(Source source) {
    Watched& watched = watched_.emplace_back(Watched{std::move(source), new QTimer(this)});
    watched.late->setSingleShot(true);
    connect(watched.late, &QTimer::timeout, this, [this, &watched] {
        watched.due = true;
        refresh();
    });
    const JobRunner* runner = watched.source.runner;
    connect(runner, &JobRunner::progressChanged, this, [this, &watched](double fraction, const QString& stage) {
        watched.fraction = fraction;
        watched.stage = stage;
        watched.left.report(now_(), fraction);
        refresh();
    });
    connect(runner, &JobRunner::started, this, [this, &watched] {
        watched.fraction = 0.0;
        watched.stage.clear();
        watched.left.reset();
        if (!watched.due && watched.source.after.count() > 0)
            watched.late->start(watched.source.after); // one after the other: as if one had run all the while
        else
            watched.due = true;
        refresh();
    });
    const auto ended = [this, &watched] {
        watched.late->stop();
        watched.due = false;
        refresh();
    };
    connect(runner, &JobRunner::finished, this, ended);
    connect(runner, &JobRunner::failed, this, ended);
    connect(runner, &JobRunner::cancelled, this, ended);
}

void JobIndicator::refresh() {
    const auto first = std::ranges::find_if(watched_, &Watched::due);
    const bool any = first != watched_.end();
    setVisible(any);
    if (!any) {
        tick_.stop();
        return;
    }
    shown_ = static_cast<std::size_t>(first - watched_.begin());
    if (!tick_.isActive())
        tick_.start();
    bar_->setValue(static_cast<int>(first->fraction * kSteps));
    showTimeLeft();
    showStage();
}

void JobIndicator::showTimeLeft() {
    const auto left = watched_[shown_].left.estimate(now_());
    const QString percent = tr("%1 %").arg(formatCount(bar_->value() * 100LL / kSteps));
    bar_->setFormat(left ? tr("%1, %2").arg(percent, inWords(*left)) : percent);
}

void JobIndicator::showStage() {
    const Watched& watched = watched_[shown_];
    const QString title = watched.source.runner->title();
    QString text = watched.stage.isEmpty() ? title : watched.stage;
    QStringList others;
    for (std::size_t other = shown_ + 1; other < watched_.size(); ++other)
        if (watched_[other].due)
            others << watched_[other].source.runner->title();
    if (!others.isEmpty())
        text = tr("%1 (and %2 more)").arg(text, formatCount(others.size()));
    stage_->setText(stage_->fontMetrics().elidedText(text, Qt::ElideMiddle, kStageWidth));
    others.prepend(watched.stage.isEmpty() || watched.stage == title ? title : tr("%1: %2").arg(title, watched.stage));
    stage_->setToolTip(others.join(QLatin1Char('\n')));
}

} // namespace assay
