#include "gui/window/job_indicator.h"

#include "gui/app/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>

#include <utility>

namespace assay {
namespace {

constexpr int kSteps = 1000;
constexpr int kStageWidth = 320;
constexpr int kTickMs = 500;

QString number(qlonglong value) {
    return QLocale().toString(value);
}

/// In the words of timeLeftText (engine/job/time_left.h), translated.
QString inWords(std::chrono::seconds left) {
    const auto total = static_cast<qlonglong>(left.count());
    if (total <= 0)
        return JobIndicator::tr("a few seconds left");
    if (total < 60)
        return JobIndicator::tr("about %1 s left").arg(number(total));
    if (total < 3600)
        return total % 60 == 0 ? JobIndicator::tr("about %1 min left").arg(number(total / 60))
                               : JobIndicator::tr("about %1 min %2 s left").arg(number(total / 60), number(total % 60));
    return total % 3600 == 0
               ? JobIndicator::tr("about %1 h left").arg(number(total / 3600))
               : JobIndicator::tr("about %1 h %2 min left").arg(number(total / 3600), number(total % 3600 / 60));
}

} // namespace

JobIndicator::JobIndicator(JobRunner* runner, QWidget* parent, Now now)
    : QWidget(parent), runner_(runner), now_(std::move(now)), stage_(new QLabel), bar_(new QProgressBar) {
    stage_->setObjectName(QStringLiteral("jobStage"));
    stage_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    stage_->setFixedWidth(kStageWidth);
    bar_->setObjectName(QStringLiteral("jobProgress"));
    bar_->setRange(0, kSteps);
    // Wide enough for the longest words, so that nothing moves when they change.
    bar_->setFixedWidth(bar_->fontMetrics().horizontalAdvance(
                            tr("%1, %2").arg(tr("%1 %").arg(number(88)), inWords(std::chrono::seconds(290)))) +
                        24);
    bar_->setMaximumHeight(stage_->sizeHint().height() + 2);
    auto* cancel = new QToolButton;
    cancel->setObjectName(QStringLiteral("jobCancel"));
    cancel->setAutoRaise(true);
    cancel->setIcon(icon(QStringLiteral("cancel")));
    cancel->setText(tr("Cancel"));
    cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    cancel->setToolTip(tr("Stop this job and keep what was open before (Ctrl+.)"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(stage_);
    row->addWidget(bar_);
    row->addWidget(cancel);

    connect(cancel, &QToolButton::clicked, runner_, &JobRunner::cancel);
    connect(runner_, &JobRunner::progressChanged, this, [this](double fraction, const QString& stage) {
        bar_->setValue(static_cast<int>(fraction * kSteps));
        left_.report(now_(), fraction);
        showTimeLeft();
        showStage(stage);
    });
    connect(runner_, &JobRunner::started, this, [this] {
        bar_->setValue(0);
        left_.reset();
        showStage({});
        showTimeLeft();
        refresh();
    });
    connect(runner_, &JobRunner::finished, this, &JobIndicator::refresh);
    connect(runner_, &JobRunner::failed, this, &JobIndicator::refresh);
    connect(runner_, &JobRunner::cancelled, this, &JobIndicator::refresh);
    connect(&tick_, &QTimer::timeout, this, &JobIndicator::showTimeLeft);
    tick_.setInterval(kTickMs);
    refresh();
}

void JobIndicator::refresh() {
    setVisible(runner_->isRunning());
    if (runner_->isRunning())
        tick_.start();
    else
        tick_.stop();
}

void JobIndicator::showTimeLeft() {
    const auto left = left_.estimate(now_());
    const QString percent = tr("%1 %").arg(number(bar_->value() * 100LL / kSteps));
    bar_->setFormat(left ? tr("%1, %2").arg(percent, inWords(*left)) : percent);
}

void JobIndicator::showStage(const QString& stage) {
    const QString text = stage.isEmpty() ? runner_->title() : stage;
    stage_->setText(stage_->fontMetrics().elidedText(text, Qt::ElideMiddle, kStageWidth));
    stage_->setToolTip(stage.isEmpty() ? runner_->title() : tr("%1: %2").arg(runner_->title(), stage));
}

} // namespace assay
