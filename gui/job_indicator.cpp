#include "gui/job_indicator.h"

#include "gui/icons.h"
#include "gui/job_runner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace assay {
namespace {

constexpr int kSteps = 1000;
constexpr int kStageWidth = 320;

} // namespace

JobIndicator::JobIndicator(JobRunner* runner, QWidget* parent)
    : QWidget(parent), runner_(runner), stage_(new QLabel), bar_(new QProgressBar) {
    stage_->setObjectName(QStringLiteral("jobStage"));
    stage_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    stage_->setFixedWidth(kStageWidth);
    bar_->setObjectName(QStringLiteral("jobProgress"));
    bar_->setRange(0, kSteps);
    bar_->setFixedWidth(180);
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
        showStage(stage);
    });
    connect(runner_, &JobRunner::started, this, [this] {
        bar_->setValue(0);
        showStage({});
        refresh();
    });
    connect(runner_, &JobRunner::finished, this, &JobIndicator::refresh);
    connect(runner_, &JobRunner::failed, this, &JobIndicator::refresh);
    connect(runner_, &JobRunner::cancelled, this, &JobIndicator::refresh);
    refresh();
}

void JobIndicator::refresh() {
    setVisible(runner_->isRunning());
}

void JobIndicator::showStage(const QString& stage) {
    const QString text = stage.isEmpty() ? runner_->title() : stage;
    stage_->setText(stage_->fontMetrics().elidedText(text, Qt::ElideMiddle, kStageWidth));
    stage_->setToolTip(stage.isEmpty() ? runner_->title() : tr("%1: %2").arg(runner_->title(), stage));
}

} // namespace assay
