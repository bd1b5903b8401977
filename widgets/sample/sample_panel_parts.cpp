// How the inspector's parts are made and laid out.
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/link/sample_selection.h"
#include "widgets/sample/feature_contrast_table.h"
#include "widgets/sample/neighbor_cells.h"
#include "widgets/sample/note_edit.h"
#include "widgets/sample/sample_comparison_view.h"
#include "widgets/sample/sample_panel.h"
#include "widgets/sample/verdict_badge.h"
#include "widgets/tables/table_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

namespace assay {

SamplePanel::SamplePanel(PanelHost& host) : Panel(host) {
    setMinimumWidth(200); // narrower, and scores would be cut off
    auto* header = makeHeader();
    scroll_ = newScroll(makeBody(), this, Qt::ScrollBarAlwaysOff);
    connectSamples();
    setContent(scroll_,
               tr("A sample is shown here beside its nearest real or synthetic one, with the reason for its "
                  "scores."),
               header);
    showSample();
}

QWidget* SamplePanel::makeHeader() {
    auto* bar = new QWidget(this);
    const auto button = [&](const QString& objectName, Qt::ArrowType arrow, const QString& hint) {
        auto* made = new QToolButton(bar);
        made->setObjectName(objectName);
        made->setArrowType(arrow);
        made->setAutoRaise(true);
        made->setToolTip(hint);
        made->setAccessibleName(hint);
        return made;
    };
    back_ = button(QStringLiteral("inspectorBack"), Qt::LeftArrow, tr("Back to the sample before (Alt+Left)"));
    forward_ = button(QStringLiteral("inspectorForward"), Qt::RightArrow, tr("Forward again (Alt+Right)"));
    connect(back_, &QToolButton::clicked, this, &SamplePanel::goBack);
    connect(forward_, &QToolButton::clicked, this, &SamplePanel::goForward);
    // Handled here and not by the buttons, since a disabled button would let the key through to another widget.
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this), &QShortcut::activated, this,
            &SamplePanel::goBack);
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Right), this), &QShortcut::activated, this,
            &SamplePanel::goForward);
    name_ = named<ElidingLabel>("inspectorName", bar, Qt::ElideMiddle);
    name_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont font = name_->font();
    font.setBold(true);
    name_->setFont(font);
    badge_ = named<VerdictBadge>("inspectorVerdict", bar);
    auto* layout = newLayout<QHBoxLayout>(bar, {8, 4, 8, 2});
    layout->addWidget(back_);
    layout->addWidget(forward_);
    layout->addWidget(name_, 1);
    layout->addWidget(badge_);
    return bar;
}

QWidget* SamplePanel::makeBody() {
    auto* body = new QWidget(this);
    comparison_ = named<SampleComparisonView>("inspectorComparison", pictures(), body);
    reason_ = named<WrappingLabel>("inspectorReason", body);
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    origin_ = named<WrappingLabel>("inspectorOrigin", body);
    group_ = named<WrappingLabel>("inspectorGroup", body);
    group_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    group_->setToolTip(tr("Samples that belong together, such as slices of a patient. Ctrl+G selects them all."));
    example_ = named<WrappingLabel>("inspectorExample", body);
    example_->setForegroundRole(QPalette::PlaceholderText);
    features_ = new FeatureContrastTable(body);
    auto* neighbors = makeNeighbors();
    note_ = named<NoteEdit>("inspectorNote", body);
    // Later: what is written is kept when another sample comes, also in the middle of an undo.
    connect(
        note_, &NoteEdit::noteWritten, this,
        [this](SampleId sample, const QString& text) { host().setNote(sample, text); }, Qt::QueuedConnection);
    scoresToggle_ = makeScoresToggle();
    scores_ = new TableView(body);
    scores_->showWhole();
    scores_->setAlternatingRowColors(false);
    scores_->setAccessibleName(tr("Scores of the sample"));
    scores_->setObjectName(QStringLiteral("inspectorScores"));
    auto* layout = newLayout<QVBoxLayout>(body, {8, 2, 8, 8}, 6);
    for (QWidget* part :
         std::initializer_list<QWidget*>{example_, comparison_, group_, reason_, origin_, features_, neighbors})
        layout->addWidget(part);
    auto* line = new QHBoxLayout;
    line->addWidget(scoresToggle_);
    line->addWidget(note_, 1);
    layout->addLayout(line);
    layout->addWidget(scores_);
    layout->addStretch(1);
    return body;
}

QWidget* SamplePanel::makeNeighbors() {
    auto* box = new QWidget(this);
    const auto caption = [box](const QString& text, const QString& toolTip) {
        auto* label = new QLabel(text, box);
        label->setToolTip(toolTip);
        makeCaption(label);
        return label;
    };
    realCaption_ = caption(tr("Nearest real"), tr("The nearest real samples, with their distances. Dot in the ring: "
                                                  "the inspected sample lies in the ball of that one"));
    nearestReal_ = makeNeighborGrid(QStringLiteral("nearestReal"), tr("Nearest real samples"), box);
    syntheticCaption_ =
        caption(tr("Nearest synthetic"),
                tr("The nearest synthetic samples, with their distances. Dot in the ring: the inspected sample lies in "
                   "the ball of that one. If the inspected sample is real, that one lies in its ball"));
    nearestSynthetic_ = makeNeighborGrid(QStringLiteral("nearestSynthetic"), tr("Nearest synthetic samples"), box);
    auto* layout = newLayout<QVBoxLayout>(box, {}, 3);
    for (QWidget* part :
         std::initializer_list<QWidget*>{realCaption_, nearestReal_, syntheticCaption_, nearestSynthetic_})
        layout->addWidget(part);
    return box;
}

SampleGrid* SamplePanel::makeNeighborGrid(const QString& name, const QString& title, QWidget* parent) {
    auto* grid = new SampleGrid(selection(), pictures(), neighborLook(false), parent);
    grid->setObjectName(name);
    grid->setAccessibleName(title);
    connect(grid, &SampleGrid::inspectRequested, this, [this](SampleId id) { selection()->select(id); });
    return grid;
}

QToolButton* SamplePanel::makeScoresToggle() {
    auto* toggle = newButton<QToolButton>("inspectorScoresToggle", tr("All scores"),
                                          tr("Show every score of this sample, with its rank among the others"), this);
    toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toggle->setAutoRaise(true);
    toggle->setCheckable(true);
    connect(toggle, &QToolButton::toggled, this, &SamplePanel::showScores);
    connect(toggle, &QToolButton::toggled, this, &Panel::choicesChanged);
    return toggle;
}

/// What is clicked is inspected, what is hovered is previewed in all views.
void SamplePanel::connectSamples() {
    connect(comparison_, &SampleComparisonView::chosen, this, [this](SampleId id) { selection()->select(id); });
    connect(comparison_, &SampleComparisonView::hovered, this,
            [this](SampleId id, bool inside) { selection()->hover(inside ? std::optional(id) : std::nullopt); });
}

} // namespace assay
