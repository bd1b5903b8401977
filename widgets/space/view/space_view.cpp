#include "widgets/space/view/space_view.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_card.h"
#include "widgets/space/canvas/plane_thumbnails.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/point_extent.h"
#include "widgets/space/plane/difference_legend.h"
#include "widgets/space/view/color_bar.h"
#include "widgets/space/view/focus_highlights.h"
#include "widgets/space/view/layout_picker.h"
#include "widgets/space/view/sample_colors.h"
#include "widgets/space/view/space_header.h"
#include "widgets/space/view/tool_buttons.h"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kDrawnAtOnce = 50'000; // points, within 100 ms or so

/// The fewer points, the larger they can be without becoming one blot.
float diameterFor(std::size_t points) {
    return points <= 5'000 ? 6.0F : points <= 40'000 ? 4.5F : 3.5F;
}

const EmbeddingSet* realSetOf(const ViewState& state) {
    return state.audit && state.audit->real ? state.audit->real->set.get() : nullptr;
}

const EmbeddingSet* syntheticSetOf(const ViewState& state) {
    return state.hasModel() ? state.current().set.get() : nullptr;
}

/// Whether points are looked at from the same place as those before, so that the two can be compared: another model of
/// the same real set.
bool comparable(const SpacePoints& before, const SpacePoints& now) {
    if (before.layout != now.layout)
        return false;
    if (now.layout.arrangement == Arrangement::Columns)
        return before.ranges == now.ranges;
    // By neighbours the real samples move too, but start where they did.
    return now.layout.arrangement == Arrangement::Neighbors ? before.real.size() == now.real.size()
                                                            : before.real == now.real;
}

} // namespace

SpaceView::SpaceView(PanelHost& host) : Panel(host), openGlProblem_(space::openGlProblem()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    makeHeader();
    layout->addWidget(header_);

    stack_ = new QStackedLayout;
    message_ = new QLabel(this);
    message_->setObjectName(QStringLiteral("spaceMessage"));
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setMargin(24);
    message_->installEventFilter(this);
    stack_->addWidget(message_);
    if (openGlProblem_.isEmpty())
        makeCanvas();
    layout->addLayout(stack_, 1);
    makeFooter();
    layout->addWidget(footer_);
    refreshTheme();
    refresh();
}

SpaceView::~SpaceView() = default;

void SpaceView::makeHeader() {
    header_ = new space::SpaceHeader(this);
    connect(header_, &space::SpaceHeader::colorsChosen, this, &SpaceView::refreshColors);
    connect(header_, &space::SpaceHeader::setsChosen, this, [this] {
        counted_ = false;
        refreshPoints();
    });
    connect(header_, &space::SpaceHeader::mapChosen, this, &SpaceView::refreshMap);
    connect(header_, &space::SpaceHeader::resetWanted, this, &SpaceView::resetView);
    connect(header_->layoutPicker(), &space::LayoutPicker::chosen, this, [this](const SpaceLayout& layout) {
        host().arrange(layout);
        emit choicesChanged();
    });
    connect(header_, &space::SpaceHeader::colorsChosen, this, &Panel::choicesChanged);
    connect(header_, &space::SpaceHeader::setsChosen, this, &Panel::choicesChanged);
    connect(header_, &space::SpaceHeader::mapChosen, this, &Panel::choicesChanged);
}

void SpaceView::makeCanvas() {
    canvas_ = new space::SpaceCanvas(this);
    stack_->addWidget(canvas_);
    setFocusProxy(canvas_);
    connect(canvas_, &space::SpaceCanvas::clicked, this, &SpaceView::clickAt);
    connect(canvas_, &space::SpaceCanvas::pointed, this, &SpaceView::pointAt);
    connect(canvas_, &space::SpaceCanvas::brushed, this, &SpaceView::brush);
    connect(canvas_, &space::SpaceCanvas::lassoed, this, &SpaceView::lasso);
    connect(canvas_, &space::SpaceCanvas::left, this, [this] {
        SampleCard::hide(canvas_);
        selection()->hover(std::nullopt);
    });
    makePictures();
    connect(header_->tools(), &space::ToolButtons::chosen, canvas_, &space::SpaceCanvas::setTool);
}

void SpaceView::makeFooter() {
    footer_ = new QWidget(this);
    auto* column = new QVBoxLayout(footer_);
    column->setContentsMargins(8, 2, 8, 2);
    column->setSpacing(2);
    colorBar_ = new space::ColorBar(footer_);
    connect(colorBar_, &space::ColorBar::entryChosen, this, &SpaceView::chooseEntry);
    connect(colorBar_, &space::ColorBar::entryIsolated, this, &SpaceView::isolateEntry);
    caption_ = new WrappingLabel(footer_);
    caption_->setObjectName(QStringLiteral("spaceCaption"));
    difference_ = new space::DifferenceLegend(footer_);
    difference_->hide();
    column->addWidget(difference_);
    // Room for what is said about a sample in hand: the picture must not move when one is clicked.
    caption_->setMinimumHeight(2 * caption_->fontMetrics().lineSpacing());
    caption_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(colorBar_);
    column->addWidget(caption_);
}

SpaceLayout SpaceView::layoutWanted() const {
    return header_->layoutPicker()->layoutWanted();
}

bool SpaceView::pointsFit() const {
    return points() && state().hasModel() && points()->real.size() == realSetOf(state())->rows() &&
           points()->synthetic.size() == syntheticSetOf(state())->rows();
}

QString SpaceView::message() const {
    return stack_->currentWidget() == message_ ? message_->text() : QString();
}

QString SpaceView::currentMessage() const {
    if (!canvas_)
        return tr("Space needs OpenGL: %1. All other panels work without it.").arg(openGlProblem_);
    if (!realSetOf(state()))
        return tr("Open a real and a synthetic set to see here where their samples lie.");
    if (!state().hasModel())
        return tr("Open a synthetic set to see it here beside the real one.");
    if (!pointsFit())
        return layoutWanted().arrangement == Arrangement::Neighbors ? tr("Arranging by nearest neighbours\u2026")
                                                                    : tr("Placing samples\u2026");
    if (opening_ == Opening::Announced)
        return tr("Drawing %1 points\u2026").arg(formatCount(points()->real.size() + points()->synthetic.size()));
    return {};
}

void SpaceView::stateChanged(const Changes& changes) {
    colored_ = colored_ && !changes.decided;
    if (changes.model)
        header_->showColumns(state());
    if (changes.layout)
        header_->layoutPicker()->showLayout(state().computed.layout);
    if (changes.real || changes.model || changes.points)
        refresh();
    else if (changes.decided)
        refreshColors();
}

bool SpaceView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == message_ && event->type() == QEvent::Paint && opening_ == Opening::Announced)
        QMetaObject::invokeMethod( // once the announcement is on the screen
            this,
            [this] {
                if (std::exchange(opening_, Opening::Done) == Opening::Announced)
                    refresh();
            },
            Qt::QueuedConnection);
    return Panel::eventFilter(watched, event);
}

void SpaceView::refresh() {
    if (canvas_ && pointsFit() && opening_ == Opening::Not)
        opening_ =
            points()->real.size() + points()->synthetic.size() > kDrawnAtOnce ? Opening::Announced : Opening::Done;
    const QString text = currentMessage();
    const bool drawn = text.isEmpty();
    message_->setText(text);
    stack_->setCurrentIndex(drawn ? 1 : 0);
    header_->setVisible(canvas_ && state().hasModel());
    footer_->setVisible(drawn);
    if (!drawn)
        return;
    refreshBox();
    if (colored_)
        refreshPoints(); // other places, the same colours
    else
        refreshColors();
}

void SpaceView::refreshBox() {
    const space::Box box = space::boxAround(*points());
    const bool hasLengths = points()->layout.arrangement == Arrangement::Components;
    canvas_->setFlat(points()->layout.isFlat());
    canvas_->setBox(box, axisTitles(), points()->ranges);
    // Balls reach beyond the points; a clipped radius is at most the median one.
    const float balls = hasLengths ? static_cast<float>(state().audit->real->medianRadius) : 0.0F;
    canvas_->setReach(space::reachOf(*points(), box) + balls);
    if (!viewedPoints_ || !comparable(*viewedPoints_, *points()))
        canvas_->resetView();
    viewedPoints_ = points();
}

void SpaceView::refreshColors() {
    if (!canvas_ || !pointsFit())
        return;
    coloring_ = space::colorSamples(state(), colorColumn(), palette());
    for (std::size_t cloud = 0; cloud < colors_.size(); ++cloud)
        // Only new colours go to the graphics card.
        if (!colors_[cloud] || *colors_[cloud] != coloring_.colors[cloud])
            colors_[cloud] = std::make_shared<const std::vector<space::Rgb>>(std::move(coloring_.colors[cloud]));
    coloring_.colors = {};
    counted_ = false;
    colored_ = true;
    refreshPoints();
}

void SpaceView::refreshPoints() {
    if (!canvas_ || !pointsFit() || !colored_)
        return;
    refreshClouds();
    refreshHighlights();
}

void SpaceView::refreshLegend() {
    auto shown = masks_;
    const auto hide = [&](std::size_t cloud, SetId set) {
        if (!header_->isSetVisible(set))
            shown[cloud] = std::make_shared<const std::vector<bool>>(coloring_.entries[cloud].size(), false);
    };
    hide(space::kRealCloud, SetId::Real);
    hide(space::kSyntheticCloud, state().currentSet());
    if (!std::exchange(counted_, true))
        space::countEntries(coloring_, shown);
    space::countSelected(coloring_, shown, selection()->samples(), state().currentSet());
    colorBar_->setLegend(coloring_.legend);
}

/// The clouds in their colours; while samples are selected, all others in grey.
void SpaceView::refreshClouds() {
    const auto mask = [&](SetId set,
                          const std::vector<space::Point>& places) -> std::shared_ptr<const std::vector<bool>> {
        const bool allPlaced =
            points()->layout.arrangement != Arrangement::Columns || std::ranges::all_of(places, space::isPlaced);
        if (!state().shown && allPlaced)
            return nullptr;
        auto flags = std::make_shared<std::vector<bool>>(places.size(), !state().shown);
        if (state().shown)
            for (const SampleId sample : state().shown->in(set))
                if (sample.row < places.size())
                    (*flags)[sample.row] = true;
        for (std::size_t row = 0; row < places.size() && !allPlaced; ++row)
            if (!space::isPlaced(places[row]))
                (*flags)[row] = false;
        return flags;
    };
    const SampleSet& selected = selection()->samples();
    const space::Rgb grey = space::toRgb(colors::unselected(palette()));
    const auto shown = [&](SetId set, const space::Colors& own) {
        if (selected.empty())
            return own;
        std::vector<space::Rgb> faded(own->size(), grey);
        for (const SampleId sample : selected.in(set))
            if (sample.row < faded.size())
                faded[sample.row] = (*own)[sample.row];
        return std::make_shared<const std::vector<space::Rgb>>(std::move(faded));
    };
    if (maskedBy_ != state().shown || maskedPoints_ != points()) {
        counted_ = false;
        masks_ = {mask(SetId::Real, points()->real), mask(state().currentSet(), points()->synthetic)};
    }
    maskedBy_ = state().shown;
    maskedPoints_ = points();
    // The points are shared with the job's result, not copied. Real ones are smaller than what is audited: copies would
    // hide behind their originals.
    const float diameter = diameterFor(points()->real.size() + points()->synthetic.size());
    space::Cloud real;
    real.points = {points(), &points()->real};
    real.colors = shown(SetId::Real, colors_[space::kRealCloud]);
    real.shown = masks_[space::kRealCloud];
    real.diameter = diameter;
    real.visible = header_->isSetVisible(SetId::Real);
    canvas_->setCloud(space::kRealCloud, std::move(real));
    space::Cloud synthetic;
    synthetic.points = {points(), &points()->synthetic};
    synthetic.colors = shown(state().currentSet(), colors_[space::kSyntheticCloud]);
    synthetic.shown = masks_[space::kSyntheticCloud];
    synthetic.diameter = 1.2F * diameter;
    synthetic.visible = header_->isSetVisible(state().currentSet());
    canvas_->setCloud(space::kSyntheticCloud, std::move(synthetic));
    refreshOtherModels();
    refreshLegend();
    refreshMap();
    refreshPictures();
}

void SpaceView::refreshHighlights() {
    if (!canvas_ || !pointsFit())
        return;
    auto clouds = canvas_->drawing().clouds;
    for (std::size_t i = 0; i < colors_.size(); ++i)
        clouds[i].colors = colors_[i];
    space::FocusHighlights focus =
        space::focusHighlights({state(), *points(), *selection(), clouds, palette(), pictured()});
    canvas_->setHighlights(std::move(focus.highlights));
    caption_->setText(focus.caption.isEmpty() ? hint() : focus.caption);
    caption_->setToolTip(points()->layout.arrangement == Arrangement::Components
                             ? tr("The ball has its true radius. A sample that looks outside is outside. One that "
                                  "looks inside may still be outside in the other dimensions.")
                             : tr("Lines lead to the nearest neighbours in all dimensions. No balls are drawn, because "
                                  "lengths mean nothing in this layout."));
}

void SpaceView::refreshTheme() {
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, colors::mutedText(palette()));
    message_->setPalette(quiet);
    caption_->setPalette(quiet);
    if (canvas_)
        canvas_->setColors(palette().color(QPalette::Base), colors::mutedText(palette()), colors::gridLine(palette()),
                           palette().color(QPalette::Text));
}

void SpaceView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
        refreshColors();
    }
    Panel::changeEvent(event);
}

void SpaceView::selectionChanged() {
    if (canvas_ && pointsFit() && colored_)
        refreshClouds();
    refreshHighlights();
}

void SpaceView::hoverChanged() {
    if (thumbnails_)
        thumbnails_->setHovered(selection()->hovered());
    refreshHighlights();
}

QString SpaceView::colorColumn() const {
    return header_->colorColumn();
}

void SpaceView::setColorColumn(const QString& columnId) {
    header_->setColorColumn(columnId);
}

void SpaceView::setSetVisible(SetId set, bool visible) {
    header_->setSetVisible(set, visible);
}

void SpaceView::resetView() {
    if (canvas_)
        canvas_->resetView();
}

void SpaceView::centerOnFocus() {
    const auto focus = selection()->focus();
    if (!focus || !isShown(focus->set))
        return;
    const auto& cloud = isReal(focus->set) ? points()->real : points()->synthetic;
    if (focus->row < cloud.size())
        canvas_->lookAt(cloud[focus->row]);
}

bool SpaceView::isShown(SetId set) const {
    if (!canvas_ || !pointsFit())
        return false;
    return (isReal(set) || set == state().currentSet()) && header_->isSetVisible(set);
}

} // namespace assay
