#include "widgets/findings/finding_card.h"

#include "engine/report/glossary/glossary.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/sample_selection.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct ExampleWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ExampleCells)
};

} // namespace

SampleId ExampleCells::sampleOf(const FindingExample& example) const {
    return {finding_.side == Side::Real ? SetId::Real : state().currentSet(), example.row};
}

GridCell ExampleCells::cellOf(const FindingExample& example) const {
    const AuditResult& audit = *state().audit;
    GridCell cell{{{sampleOf(example)}}};
    cell.caption = example.count == 1 ? ExampleWords::tr("only this one")
                                      : ExampleWords::tr("%1 like this").arg(formatCount(example.count));
    cell.spokenText = sampleCaption(audit, sampleOf(example));
    if (example.original) {
        const SampleId original{SetId::Real, *example.original};
        cell.pictures.push_back({original});
        cell.spokenText = ExampleWords::tr("%1, a copy of %2").arg(cell.spokenText, sampleCaption(audit, original));
    }
    cell.spokenText = ExampleWords::tr("%1, %2").arg(cell.spokenText, cell.caption);
    for (GridPicture& picture : cell.pictures)
        picture.rimmed = true;
    return cell;
}

void ExampleCells::show(const ViewState& state) {
    setState(state);
    std::vector<GridCell> made;
    for (const FindingExample& example : finding_.examples)
        made.push_back(cellOf(example));
    set(state, std::move(made));
}

GridLook ExampleCells::look() const {
    GridLook look{.gap = 12, .arrows = GridLook::Arrows::Walk, .extent = GridLook::Extent::Fit};
    const bool pictures =
        state().audit && state().audit->setOf(sampleOf(finding_.examples.front()).set).images() != nullptr;
    look.edge = pictures ? 64 : 72;
    look.height = pictures ? 0 : 36;
    look.smallestEdge = pictures ? 36 : 0;
    return look;
}

void ExampleCells::choose(Place place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = sampleOf(finding_.examples[place.cell]);
    const SampleSet like = state().shownOf(SampleSet(sample.set, finding_.rowsLike(place.cell)));
    selection()->chooseBy(modifiers, like, like.contains(sample) ? std::optional(sample) : std::nullopt);
}

namespace {

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new WrappingLabel(text, parent);
    label->setAttribute(Qt::WA_TransparentForMouseEvents); // a click anywhere is one on the card
    return label;
}

/// Findings whose samples a person may want to reject.
bool canBeRejected(const Finding& finding) {
    return !finding.rules.empty() || finding.kind->is(FindingKind::Rejectable) ||
           (finding.kind->is(FindingKind::RejectableIfMarked) && finding.marksModel);
}

/// Findings that samples which belong together would explain.
bool asksForGroups(const Finding& finding) {
    return finding.kind->id == "ungrouped" || finding.kind->id == "real_ordered";
}

QPushButton* button(const QString& text, const QString& name, QWidget* parent) {
    auto* made = new QPushButton(text, parent);
    made->setObjectName(name);
    return made;
}

} // namespace

FindingCard::FindingCard(const Finding& finding, SampleSelection* selection, ThumbnailCache* cache, QWidget* parent)
    : QFrame(parent), finding_(finding) {
    setObjectName(QStringLiteral("finding_%1").arg(catalogText(finding.kind->id)));
    setFrameShape(QFrame::StyledPanel);
    const bool selectable = !finding.rows.empty();
    setFocusPolicy(selectable ? Qt::StrongFocus : Qt::NoFocus);
    if (selectable)
        setCursor(Qt::PointingHandCursor);
    setAccessibleName(catalogText(finding.kind->title));
    setAccessibleDescription(QString::fromStdString(finding.sentence));
    setToolTip(toolTipText());
    auto* layout = newLayout<QVBoxLayout>(this, {12, 6, 8, 8}, 4);
    addText(layout);
    if (!finding.examples.empty()) {
        examples_ = std::make_unique<ExampleCells>(finding, selection);
        grid_ = named<SampleGrid>("findingExamples", selection, cache, examples_->look(), this);
        grid_->setAccessibleName(tr("Examples: Space selects the samples like one, Enter inspects it"));
        connect(grid_, &SampleGrid::inspectRequested, this, &FindingCard::inspectRequested);
        layout->addWidget(grid_);
    }
    addButtons(layout);
    if (!finding.advice.empty()) {
        auto* advice = wrapped(QString::fromStdString(finding.advice), this);
        advice->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(advice);
    }
}

FindingCard::~FindingCard() = default;

QString FindingCard::toolTipText() const {
    const QString value = formatNumber(finding_.value);
    QString tip = definitionToolTip(
        {GlossaryEntry::Kind::Word, finding_.kind->id, finding_.kind->title, finding_.kind->measure, {}, {}});
    tip +=
        finding_.low
            ? tr("<br>%1, 95 % interval %2 to %3").arg(value, formatNumber(*finding_.low), formatNumber(*finding_.high))
            : QStringLiteral("<br>%1").arg(value);
    tip += finding_.kind->marks.empty()
               ? tr("<br>Never marks a model.")
               : tr("<br>Marks a model with (!) %1.").arg(catalogText(finding_.kind->marks).toHtmlEscaped());
    return tip;
}

void FindingCard::addText(QBoxLayout* layout) {
    const QString title = catalogText(finding_.kind->title);
    auto* heading = wrapped(finding_.marksModel ? tr("(!) %1").arg(title) : title, this);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    layout->addWidget(heading);
    layout->addWidget(wrapped(QString::fromStdString(finding_.sentence), this));
}

void FindingCard::addButtons(QBoxLayout* layout) {
    const QString id = catalogText(finding_.kind->id);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    if (!finding_.rows.empty()) {
        show_ = button(QString(), QStringLiteral("findingShow_%1").arg(id), this);
        connect(show_, &QPushButton::clicked, this,
                [this] { emit filterWanted(state_.filter.toggledOnly(samples())); });
        buttons->addWidget(show_);
    }
    if (canBeRejected(finding_)) {
        reject_ = button(finding_.rows.size() == 1 ? tr("Reject it")
                                                   : tr("Reject these %1").arg(formatCount(finding_.rows.size())),
                         QStringLiteral("findingReject_%1").arg(id), this);
        reject_->setToolTip(tr("Rejects these samples of this model by hand; Undo takes it back"));
        connect(reject_, &QPushButton::clicked, this, &FindingCard::rejectionWanted);
        buttons->addWidget(reject_);
    }
    if (asksForGroups(finding_)) {
        QPushButton* groups = button(tr("Groups\u2026"), QStringLiteral("findingGroups_%1").arg(id), this);
        groups->setToolTip(tr("Say which real samples belong together, and audit the sets again"));
        connect(groups, &QPushButton::clicked, this, &FindingCard::groupsWanted);
        buttons->addWidget(groups);
    }
    const bool any = buttons->count() > 0;
    buttons->addStretch(1);
    if (any)
        layout->addLayout(buttons);
}

SampleSet FindingCard::samples() const {
    return {finding_.side == Side::Real ? SetId::Real : state_.currentSet(), finding_.rows};
}

void FindingCard::setState(const ViewState& state) {
    state_ = state;
    if (examples_ != nullptr) {
        examples_->show(state);
        grid_->setLook(examples_->look());
        grid_->setContents(examples_.get());
    }
    if (show_ != nullptr) {
        const bool filtered = state.filter.isOnly(samples());
        show_->setText(filtered ? tr("Show the others again")
                                : tr("Show all %1").arg(formatCount(finding_.rows.size())));
        show_->setToolTip(filtered ? tr("Shows the other samples in every panel again")
                                   : tr("Shows only these samples in every panel"));
    }
    if (reject_ != nullptr)
        reject_->setEnabled(std::ranges::any_of(finding_.rows, [&](std::uint32_t row) { return state.isKept(row); }));
}

void FindingCard::setChosen(bool chosen) {
    if (chosen == chosen_)
        return;
    chosen_ = chosen;
    update();
}

void FindingCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && !finding_.rows.empty())
        emit chosen();
}

void FindingCard::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        emit chosen();
        return;
    case Qt::Key_Down:
        emit moved(1);
        return;
    case Qt::Key_Up:
        emit moved(-1);
        return;
    default:
        QFrame::keyPressEvent(event);
    }
}

void FindingCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    if (finding_.marksModel)
        painter.fillRect(QRect(0, 0, 4, height()), colors::unauthentic(palette()));
    if (chosen_) {
        painter.setPen(QPen(colors::selected(palette()), 3));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(3, 3, -4, -4));
    }
}

} // namespace assay
