#include "widgets/compare/coverage_groups.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_grid.h"

#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace assay {
namespace {

constexpr qsizetype kLettersOnCard = 40; // letters of a model's name

QString shortName(const ModelAudit& model) {
    const QString name = QString::fromStdString(model.name);
    return name.size() > kLettersOnCard ? name.left(kLettersOnCard) + QStringLiteral("\u2026") : name;
}

} // namespace

CoverageGroups::CoverageGroups(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    auto* column = newLayout<QVBoxLayout>(this, {}, 4);
    for (const CoveredBy group : {CoveredBy::OnlyFirst, CoveredBy::OnlySecond, CoveredBy::Neither, CoveredBy::Both})
        column->addWidget(makeCard(static_cast<std::size_t>(group), cache));
    export_ = newButton<QPushButton>("coverageGroupsExport", tr("Export list..."),
                                     tr("Write every real sample with which of the two models cover it, as CSV"), this);
    connect(export_, &QPushButton::clicked, this, &CoverageGroups::exportRequested);
    column->addWidget(export_, 0, Qt::AlignRight);
    column->addStretch(1);
}

CoverageGroups::~CoverageGroups() = default;

QWidget* CoverageGroups::makeCard(std::size_t group, ThumbnailCache* cache) {
    auto* frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("coverageGroup%1").arg(group));
    frame->setFrameShape(QFrame::StyledPanel);
    Card& card = cards_[group];
    card.title = new WrappingLabel(frame);
    card.title->setObjectName(QStringLiteral("coverageGroupTitle"));
    QFont bold = card.title->font();
    bold.setBold(true);
    card.title->setFont(bold);
    card.select = new QPushButton(tr("Select"), frame);
    card.select->setObjectName(QStringLiteral("coverageGroupSelect"));
    card.select->setToolTip(tr("Select the real samples of this group"));
    card.only = new QPushButton(tr("Show only these"), frame);
    card.only->setObjectName(QStringLiteral("coverageGroupOnly"));
    card.only->setCheckable(true);
    card.strip = new SampleGrid(selection_, cache, GridLook::strip(), frame);
    card.strip->setObjectName(QStringLiteral("coverageGroupExamples"));
    connect(card.strip, &SampleGrid::inspectRequested, this, &CoverageGroups::inspectRequested);
    connect(card.select, &QPushButton::clicked, this,
            [this, group] { selection_->chooseBy(QGuiApplication::keyboardModifiers(), cards_[group].samples); });
    connect(card.only, &QPushButton::clicked, this, [this, group] {
        emit filterChosen(state_.filter.toggledOnly(cards_[group].samples));
        showButtons();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(card.title, 1);
    for (QPushButton* button : {card.select, card.only}) {
        row->addWidget(button);
    }
    auto* column = newLayout<QVBoxLayout>(frame, {8, 4, 6, 4}, 2);
    column->addLayout(row);
    column->addWidget(card.strip);
    return frame;
}

void CoverageGroups::show(const ViewState& state, std::shared_ptr<const ModelContrast> contrast) {
    state_ = state;
    export_->setEnabled(contrast != nullptr);
    std::size_t all = 0;
    if (contrast)
        for (const CoverageGroup& group : contrast->groups)
            all += group.rows.size();
    for (std::size_t at = 0; at < cards_.size(); ++at) {
        Card& card = cards_[at];
        const std::vector<std::uint32_t> none;
        const std::vector<std::uint32_t>& rows = contrast ? contrast->groups[at].rows : none;
        card.samples = SampleSet(SetId::Real, rows);
        QString who;
        switch (static_cast<CoveredBy>(at)) {
        case CoveredBy::Both:
            who = tr("Covered by both");
            break;
        case CoveredBy::OnlyFirst:
            who = contrast ? tr("Covered by %1 only").arg(shortName(*contrast->first)) : QString();
            break;
        case CoveredBy::OnlySecond:
            who = contrast ? tr("Covered by %1 only").arg(shortName(*contrast->second)) : QString();
            break;
        case CoveredBy::Neither:
            who = tr("Covered by neither");
            break;
        }
        QString text = who;
        if (all > 0)
            text = tr("%1: %2 real samples (%3)")
                       .arg(who, formatCount(rows.size()), formatParts(rows.size(), all - rows.size()).first);
        card.title->setText(text.replace(QLatin1String(" %"), QStringLiteral("\u00a0%"))); // never on two lines
        for (QPushButton* button : {card.select, card.only})
            button->setEnabled(!rows.empty());
        std::vector<SampleId> examples;
        if (contrast)
            for (const std::uint32_t row : contrast->groups[at].examples)
                examples.push_back({SetId::Real, row});
        card.strip->setVisible(!examples.empty());
        card.strip->setAccessibleName(tr("%1: examples").arg(who));
        card.strip->setCells(state_, GridList::singles(examples));
    }
    showButtons();
}

void CoverageGroups::setState(const ViewState& state) {
    state_ = state;
    for (const Card& card : cards_)
        card.strip->setState(state_);
    showButtons();
}

void CoverageGroups::showButtons() {
    for (const Card& card : cards_)
        card.only->setChecked(!card.samples.empty() && state_.filter.among && *state_.filter.among == card.samples);
}

} // namespace assay
