#include "widgets/grid/sample_group_card.h"

#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/link/panel_host.h"
#include "widgets/link/sample_selection.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace assay {

SampleGroupCard::SampleGroupCard(PanelHost& host, const QString& name, const GridLook& look, const QString& selectHint,
                                 QWidget* parent)
    : QFrame(parent), title_(new WrappingLabel(this)), text_(new WrappingLabel(this)),
      select_(new QPushButton(tr("Select"), this)), only_(new QPushButton(tr("Show only these"), this)),
      examples_(new SampleGrid(host.selection(), host.pictures(), look, this)) {
    setFrameShape(QFrame::StyledPanel);
    title_->setObjectName(name + QStringLiteral("Title"));
    select_->setObjectName(name + QStringLiteral("Select"));
    only_->setObjectName(name + QStringLiteral("Only"));
    examples_->setObjectName(name + QStringLiteral("Examples"));
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    select_->setToolTip(selectHint);
    only_->setCheckable(true);
    auto* row = new QHBoxLayout;
    row->addWidget(title_, 1);
    row->addWidget(select_);
    row->addWidget(only_);
    auto* column = newLayout<QVBoxLayout>(this, {10, 4, 8, 4}, 3);
    column->addLayout(row);
    column->addWidget(text_);
    column->addWidget(examples_);
    connect(examples_, &SampleGrid::inspectRequested, this, [&host](SampleId sample) { host.inspect(sample); });
    connect(select_, &QPushButton::clicked, this,
            [this, &host] { host.selection()->chooseBy(QGuiApplication::keyboardModifiers(), samples_); });
    connect(only_, &QPushButton::clicked, this, [this, &host] {
        host.setFilter(filter_.toggledOnly(samples_));
        only_->setChecked(filter_.isOnly(samples_)); // the host may have left it as it was
    });
}

void SampleGroupCard::show(const ViewState& state, Content content) {
    samples_ = std::move(content.samples);
    title_->setText(content.title.replace(QLatin1String(" %"), QStringLiteral("\u00a0%"))); // never on two lines
    text_->setText(content.text);
    text_->setVisible(!content.text.isEmpty());
    select_->setEnabled(!samples_.empty());
    only_->setEnabled(!samples_.empty());
    examples_->setVisible(!content.examples.empty());
    examples_->setAccessibleName(content.examplesName);
    examples_->setCells(state, std::move(content.examples));
    setState(state);
}

void SampleGroupCard::setState(const ViewState& state) {
    filter_ = state.filter;
    examples_->setState(state);
    only_->setChecked(!samples_.empty() && filter_.isOnly(samples_));
}

} // namespace assay
