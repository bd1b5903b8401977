#include "widgets/space/view/space_view.h"

#include "widgets/common/colors.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_card.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/view/color_bar.h"
#include "widgets/space/view/focus_highlights.h"
#include "widgets/space/view/layout_picker.h"
#include "widgets/space/view/sample_colors.h"
#include "widgets/space/view/space_header.h"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Samples of both sets that are arranged by neighbours unasked; more take minutes.
constexpr std::size_t kArrangedAtFirst = 150'000;

constexpr std::size_t kDrawnAtOnce = 50'000; // points, within 100 ms or so

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
    message_->setContentsMargins(24, 0, 24, 0);
    stack_->addWidget(message_);
    if (openGlProblem_.isEmpty())
        makeCanvas();
    layout->addLayout(stack_, 1);
    makeFooter();
    layout->addWidget(footer_);
    // Nothing of an audit that is left stays in memory.
    connect(this, &Panel::auditLeft, this, [this] {
        wantedDensity_ = {};
        density_.reset();
        wantedOthers_ = {};
        others_.reset();
        drawing_.map.reset();
        drawing_.clouds = {};
    });
    refreshTheme();
    refresh();
}

SpaceView::~SpaceView() = default;

void SpaceView::makeHeader() {
    using space::SpaceHeader;
    header_ = new SpaceHeader(this);
    connect(header_, &SpaceHeader::colorsChosen, this, &SpaceView::refreshColors);
    connect(header_, &SpaceHeader::layersChosen, this, &SpaceView::redraw);
    connect(header_, &SpaceHeader::picturesToggled, this, &SpaceView::placePictures);
    connect(header_, &SpaceHeader::resetWanted, this, &SpaceView::resetView);
    connect(header_->layoutPicker(), &space::LayoutPicker::chosen, this, [this](const SpaceLayout& layout) {
        arrange(layout);
        emit choicesChanged();
    });
    connect(header_, &SpaceHeader::colorsChosen, this, &Panel::choicesChanged);
    connect(header_, &SpaceHeader::layersChosen, this, &Panel::choicesChanged);
}

void SpaceView::makeCanvas() {
    using space::SpaceCanvas;
    constexpr int kAtRest = 80; // ms without a move
    canvas_ = new SpaceCanvas(this, pictures());
    stack_->addWidget(canvas_);
    setFocusProxy(canvas_);
    connect(canvas_, &SpaceCanvas::clicked, this, &SpaceView::clickAt);
    connect(canvas_, &SpaceCanvas::pointed, this, &SpaceView::pointAt);
    connect(canvas_, &SpaceCanvas::outlined, this, &SpaceView::chooseInside);
    connect(canvas_, &SpaceCanvas::left, this, [this] {
        SampleCard::hide(canvas_);
        selection()->hover(std::nullopt);
    });
    connect(header_, &space::SpaceHeader::toolChosen, canvas_, &SpaceCanvas::setTool);
    // Pictures that are there move with the view.
    auto* atRest = new QTimer(this);
    atRest->setSingleShot(true);
    atRest->setInterval(kAtRest);
    connect(atRest, &QTimer::timeout, this, &SpaceView::placePictures);
    connect(canvas_, &SpaceCanvas::viewMoved, atRest, qOverload<>(&QTimer::start));
}

void SpaceView::makeFooter() {
    footer_ = new QWidget(this);
    auto* column = new QVBoxLayout(footer_);
    column->setContentsMargins(8, 2, 8, 2);
    column->setSpacing(2);
    colorBar_ = new space::ColorBar(footer_);
    connect(colorBar_, &space::ColorBar::entryChosen, this, &SpaceView::chooseEntry);
    connect(colorBar_, &space::ColorBar::entryIsolated, this, &SpaceView::isolateEntry);
    difference_ = new space::ColorBar(footer_);
    difference_->setObjectName(QStringLiteral("spaceDifferenceLegend"));
    difference_->setToolTip(
        tr("Density of the model divided by that of the real set, smoothed on the plane. Outlines enclose 25, "
           "50, 75 and 95 % of the real samples. Differences that may be chance (less than two standard errors) "
           "have no colour. Places that lie together on the plane may be apart in the other dimensions."));
    difference_->hide();
    caption_ = new WrappingLabel(footer_);
    caption_->setObjectName(QStringLiteral("spaceCaption"));
    // Room for what is said about a sample in hand: the picture must not move when one is clicked.
    caption_->setMinimumHeight(2 * caption_->fontMetrics().lineSpacing());
    caption_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(difference_);
    column->addWidget(colorBar_);
    column->addWidget(caption_);
}

SpaceLayout SpaceView::layoutWanted() const {
    return header_->layoutPicker()->layoutWanted();
}

bool SpaceView::pointsFit() const {
    return points() && state().hasModel() && points()->real.size() == state().audit->real->set->rows() &&
           points()->synthetic.size() == state().current().set->rows();
}

bool SpaceView::isDrawn() const {
    return canvas_ && stack_->currentWidget() == canvas_;
}

QString SpaceView::message() const {
    return stack_->currentWidget() == message_ ? message_->text() : QString();
}

QString SpaceView::currentMessage() const {
    if (!canvas_)
        return tr("Space needs OpenGL: %1. All other panels work without it.").arg(openGlProblem_);
    if (!state().audit || !state().audit->real)
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

bool SpaceView::mapIsComing() const {
    return state().computed.layout.arrangement == Arrangement::Neighbors &&
           points()->layout.arrangement != Arrangement::Neighbors;
}

void SpaceView::arrange(const SpaceLayout& layout) {
    layoutChosen_ = true;
    host().arrange(layout);
}

void SpaceView::stateChanged(const Changes& changes) {
    if (changes.model)
        header_->showColumns(state());
    if (changes.layout)
        header_->layoutPicker()->showLayout(state().computed.layout);
    if (canvas_ && state().hasModel() && !layoutChosen_) // not from within a change of the state
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (layoutChosen_ || !state().hasModel())
                    return;
                const std::size_t samples = state().audit->real->set->rows() + state().current().set->rows();
                arrange({samples > kArrangedAtFirst ? Arrangement::Components : Arrangement::Neighbors, 2});
            },
            Qt::QueuedConnection);
    if (changes.real || changes.model || changes.points)
        refresh();
    else if (changes.decided)
        refreshColors();
    else if (changes.layout)
        placeHighlights();
}

void SpaceView::open() {
    const bool many = points()->real.size() + points()->synthetic.size() > kDrawnAtOnce;
    opening_ = many ? Opening::Announced : Opening::Done;
    if (many) // once the announcement is on the screen
        QTimer::singleShot(30, this, [this] {
            opening_ = Opening::Done;
            refresh();
        });
}

void SpaceView::refresh() {
    if (canvas_ && pointsFit() && opening_ == Opening::Not)
        open();
    const QString text = currentMessage();
    const bool drawn = text.isEmpty();
    message_->setText(text);
    stack_->setCurrentIndex(drawn ? 1 : 0);
    header_->setVisible(canvas_ && state().hasModel());
    header_->setFlat(points() && points()->layout.isFlat());
    footer_->setVisible(drawn);
    if (drawn)
        placeBox();
    refreshColors();
}

void SpaceView::placeBox() {
    const bool hasLengths = points()->layout.arrangement == Arrangement::Components;
    drawing_.isFlat = points()->layout.isFlat();
    drawing_.box = space::boxAround(*points());
    drawing_.titles = axisTitles();
    drawing_.ranges = points()->ranges;
    // Balls reach beyond the points; a clipped radius is at most the median one.
    const float balls = hasLengths ? static_cast<float>(state().audit->real->medianRadius) : 0.0F;
    drawing_.reach = space::reachOf(*points(), drawing_.box) + balls;
    const bool keepsView = viewedPoints_ && comparable(*viewedPoints_, *points());
    viewedPoints_ = points();
    maskedBy_.reset();
    drawing_.clouds = {};
    canvas_->draw(drawing_);
    if (!keepsView)
        canvas_->resetView();
}

void SpaceView::refreshColors() {
    if (!isDrawn())
        return;
    coloring_ = space::colorSamples(state(), colorColumn(), palette());
    for (std::size_t cloud = 0; cloud < colors_.size(); ++cloud)
        // Only new colours go to the graphics card.
        if (!colors_[cloud] || *colors_[cloud] != coloring_.colors[cloud])
            colors_[cloud] = std::make_shared<const std::vector<space::Rgb>>(std::move(coloring_.colors[cloud]));
    coloring_.colors = {};
    redraw();
}

void SpaceView::refreshTheme() {
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, colors::mutedText(palette()));
    message_->setPalette(quiet);
    caption_->setPalette(quiet);
    drawing_.background = palette().color(QPalette::Base);
    drawing_.axes = colors::mutedText(palette());
    drawing_.frame = colors::gridLine(palette());
    drawing_.text = palette().color(QPalette::Text);
    space::ColorLegend legend;
    legend.low = tr("too few synthetic samples (1/%1)").arg(space::kStrongestRatio);
    legend.high = tr("too many (%1x)").arg(space::kStrongestRatio);
    for (int i = 0; i <= 16; ++i)
        legend.scale.append({i / 16.0, space::differenceColor(i / 8.0 - 1.0, palette())});
    difference_->setLegend(legend);
}

void SpaceView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
        refreshColors();
    }
    Panel::changeEvent(event);
}

void SpaceView::selectionChanged() {
    redraw();
}

void SpaceView::hoverChanged() {
    placeHighlights();
}

QString SpaceView::colorColumn() const {
    return header_->colorColumn();
}

void SpaceView::setColorColumn(const QString& columnId) {
    header_->setColorColumn(columnId);
}

void SpaceView::setMapKind(space::MapKind kind) {
    header_->setMapKind(kind);
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
    if (const auto place = focus ? placeOf(*focus) : std::nullopt)
        canvas_->lookAt(*place);
}

} // namespace assay
