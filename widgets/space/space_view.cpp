#include "widgets/space/space_view.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/color_bar.h"
#include "widgets/space/focus_highlights.h"
#include "widgets/space/point_extent.h"
#include "widgets/space/sample_colors.h"
#include "widgets/space/space_canvas.h"

#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kWidestColumn = 240;
constexpr std::size_t kDrawnAtOnce = 50'000; // points, within 100 ms or so

/// A set's colour in its points' shape.
QIcon swatch(const QColor& color, SetId set, double scale) {
    QPixmap pixmap(QSize(12, 12) * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (isReal(set))
        painter.drawPolygon(QPolygonF{{6, 0}, {12, 6}, {6, 12}, {0, 6}});
    else
        painter.drawEllipse(QRectF(1, 1, 10, 10));
    return QIcon(pixmap);
}

/// The fewer points, the larger they can be without becoming one blot.
float diameterFor(std::size_t points) {
    return points <= 5'000 ? 6.0F : points <= 40'000 ? 4.5F : 3.5F;
}

QString percent(double share, const QLocale& locale) {
    const double value = 100.0 * share;
    return locale.toString(value, 'f', value >= 9.95 || value == 0.0 ? 0 : value >= 0.995 ? 1 : 2);
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
    if (before.arrangement != now.arrangement)
        return false;
    // By neighbours the real samples move too, but start where they did.
    return now.arrangement == Arrangement::Neighbors ? before.real.size() == now.real.size() : before.real == now.real;
}

} // namespace

SpaceView::SpaceView(SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), openGlProblem_(space::openGlProblem()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());

    stack_ = new QStackedLayout;
    message_ = new QLabel(this);
    message_->setObjectName(QStringLiteral("spaceMessage"));
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setMargin(24);
    message_->installEventFilter(this);
    stack_->addWidget(message_);
    if (openGlProblem_.isEmpty()) {
        canvas_ = new space::SpaceCanvas(this);
        stack_->addWidget(canvas_);
        setFocusProxy(canvas_);
        connect(canvas_, &space::SpaceCanvas::clicked, this, &SpaceView::clickAt);
        connect(canvas_, &space::SpaceCanvas::pointed, this, &SpaceView::pointAt);
        connect(canvas_, &space::SpaceCanvas::brushed, this, &SpaceView::brush);
        connect(canvas_, &space::SpaceCanvas::left, this, [this] { this->selection()->hover(std::nullopt); });
    }
    layout->addLayout(stack_, 1);
    layout->addWidget(makeFooter());
    showArrangement(Arrangement::Components);
    refreshTheme();
    refresh();
}

SpaceView::~SpaceView() = default;

QWidget* SpaceView::makeHeader() {
    header_ = new QWidget(this);
    auto* row = new QHBoxLayout(header_);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    auto* label = new QLabel(tr("&Colour"), header_);
    column_ = new ElidingComboBox(header_);
    column_->setObjectName(QStringLiteral("spaceColumn"));
    column_->setToolTip(tr("What the synthetic samples are coloured by"));
    column_->setMinimumContentsLength(6);
    column_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column_->setMaximumWidth(kWidestColumn);
    label->setBuddy(column_);
    showReal_ = new QCheckBox(tr("&Real"), header_);
    showReal_->setObjectName(QStringLiteral("spaceShowReal"));
    showReal_->setToolTip(tr("Show the real samples"));
    showSynthetic_ = new QCheckBox(tr("S&ynthetic"), header_);
    showSynthetic_->setObjectName(QStringLiteral("spaceShowSynthetic"));
    showSynthetic_->setToolTip(tr("Show the current model's samples"));
    auto* reset = new QToolButton(header_);
    reset->setObjectName(QStringLiteral("spaceReset"));
    reset->setText(tr("Reset view"));
    reset->setToolTip(tr("Show everything from the first direction again (R)"));
    reset->setAutoRaise(true);
    for (QCheckBox* box : {showReal_, showSynthetic_}) {
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &SpaceView::refreshColors);
    }
    connect(column_, &QComboBox::currentIndexChanged, this, &SpaceView::refreshColors);
    connect(reset, &QToolButton::clicked, this, &SpaceView::resetView);
    row->addWidget(label);
    row->addWidget(column_, 1);
    row->addStretch();
    row->addWidget(showReal_);
    row->addWidget(showSynthetic_);
    row->addWidget(reset);
    return header_;
}

void SpaceView::makeArrangementPicker() {
    arrangement_ = new ElidingComboBox(footer_);
    arrangement_->setMinimumContentsLength(10); // "Components"
    arrangement_->setObjectName(QStringLiteral("spaceArrangement"));
    arrangement_->addItem(tr("Components"), static_cast<int>(Arrangement::Components));
    arrangement_->setItemData(0,
                              tr("The first three principal components of the real set. What looks far apart here is "
                                 "far apart; what looks close may be apart in the other dimensions."),
                              Qt::ToolTipRole);
    arrangement_->addItem(tr("Neighbours"), static_cast<int>(Arrangement::Neighbors));
    arrangement_->setItemData(1,
                              tr("UMAP of both sets together: samples with common nearest neighbours lie together. "
                                 "Distances between groups, and their sizes, mean little."),
                              Qt::ToolTipRole);
    connect(arrangement_, &QComboBox::currentIndexChanged, this, [this] {
        showArrangement(arrangement());
        emit arrangementChosen(arrangement());
    });
}

QWidget* SpaceView::makeFooter() {
    footer_ = new QWidget(this);
    makeArrangementPicker();
    auto* column = new QVBoxLayout(footer_);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    colorBar_ = new space::ColorBar(footer_);
    caption_ = new WrappingLabel(footer_);
    caption_->setObjectName(QStringLiteral("spaceCaption"));
    auto* arrangedBy = new QLabel(tr("&Layout"), footer_);
    arrangedBy->setBuddy(arrangement_);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(colorBar_, 1);
    row->addWidget(arrangedBy);
    row->addWidget(arrangement_);
    column->addLayout(row);
    column->addWidget(caption_);
    return footer_;
}

void SpaceView::showArrangement(Arrangement arrangement) {
    const QSignalBlocker quiet(arrangement_);
    arrangement_->setCurrentIndex(arrangement_->findData(static_cast<int>(arrangement)));
    arrangement_->setToolTip(arrangement_->currentData(Qt::ToolTipRole).toString());
}

Arrangement SpaceView::arrangement() const {
    return static_cast<Arrangement>(arrangement_->currentData().toInt());
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
        return tr("The 3D view needs OpenGL: %1.").arg(openGlProblem_);
    if (!realSetOf(state()))
        return tr("Load a real and a synthetic set to see them here, in three dimensions.");
    if (!state().hasModel())
        return tr("Load a synthetic set to see it here beside the real one.");
    if (!pointsFit())
        return arrangement() == Arrangement::Neighbors ? tr("Arranging by nearest neighbours\u2026")
                                                       : tr("Projecting\u2026");
    if (opening_ == Opening::Announced)
        return tr("Drawing %1 points\u2026").arg(formatCount(points()->real.size() + points()->synthetic.size()));
    return {};
}

void SpaceView::stateChanged(const ViewState& previous) {
    const bool sameSets =
        realSetOf(previous) == realSetOf(state()) && syntheticSetOf(previous) == syntheticSetOf(state());
    if (previous.computed.arrangement != state().computed.arrangement)
        showArrangement(state().computed.arrangement);
    const bool sameModel = state().hasModel() && previous.hasModel() && &previous.current() == &state().current();
    if (!sameModel)
        showColumns();
    if (!sameSets || !sameModel || previous.computed.points != state().computed.points)
        refresh();
    else if (!previous.isSameBesideComputed(state()))
        refreshColors();
}

void SpaceView::showColumns() {
    const QSignalBlocker quiet(column_);
    const QVariant wanted = column_->count() > 0 ? column_->currentData() : QVariant(QStringLiteral("fidelity"));
    column_->clear();
    if (!state().hasModel())
        return;
    for (const Column* column : space::colorableColumns(state().current())) {
        const auto text = [](std::string_view s) {
            return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
        };
        column_->addItem(text(column->title), text(column->id));
        column_->setItemData(column_->count() - 1, metricToolTip(*column), Qt::ToolTipRole);
    }
    column_->addItem(tr("One colour"), QString());
    column_->setCurrentIndex(std::max(0, column_->findData(wanted)));
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
    return LinkedView::eventFilter(watched, event);
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
    refreshColors();
}

void SpaceView::refreshBox() {
    const space::Box box = space::boxAround(*points());
    const bool hasLengths = points()->arrangement == Arrangement::Components;
    QStringList titles;
    for (std::size_t axis = 0; hasLengths && axis < 3; ++axis)
        titles << tr("PC %1 (%2\u00a0%)").arg(axis + 1).arg(percent(points()->explainedShare[axis], locale()));
    canvas_->setBox(box, titles);
    // Balls reach beyond the points; a clipped radius is at most the median one.
    const float balls = hasLengths ? static_cast<float>(state().audit->real->medianRadius) : 0.0F;
    canvas_->setReach(space::reachOf(*points(), box) + balls);
    if (!viewedPoints_ || !comparable(*viewedPoints_, *points()))
        canvas_->resetView();
    viewedPoints_ = points();
}

/// Help text: controls, and how reliable the picture is.
QString SpaceView::hint() const {
    const QString click = points()->arrangement == Arrangement::Components
                              ? tr("Click a sample to see its neighbours and its ball; F centres it; Ctrl+drag "
                                   "selects many.")
                              : tr("Click a sample to see its neighbours; F centres it; Ctrl+drag selects many.");
    if (std::isnan(points()->keptNeighbors))
        return click;
    return tr("%1\u00a0% of each sample\u2019s %2 nearest neighbours are among its nearest here. %3")
        .arg(percent(points()->keptNeighbors, locale()))
        .arg(points()->neighbors)
        .arg(click);
}

void SpaceView::refreshColors() {
    if (!canvas_ || !pointsFit())
        return;
    const std::string id = colorColumn().toStdString();
    const auto columns = space::colorableColumns(state().current());
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column* c) { return c->id == id; });
    space::SampleColors colored =
        space::colorSamples(state(), at == columns.end() ? nullptr : *at, palette(), locale());

    if (!colors_[space::kRealCloud] || colors_[space::kRealCloud]->size() != points()->real.size() ||
        (!points()->real.empty() && colors_[space::kRealCloud]->front() != space::toRgb(colors::real(palette()))))
        colors_[space::kRealCloud] = std::make_shared<const std::vector<space::Rgb>>(
            points()->real.size(), space::toRgb(colors::real(palette())));
    colors_[space::kSyntheticCloud] = std::make_shared<const std::vector<space::Rgb>>(std::move(colored.colors));
    colorBar_->setLegend(std::move(colored.legend));
    refreshClouds();
    refreshHighlights();
}

/// The clouds in their colours; while samples are selected, all others in grey.
void SpaceView::refreshClouds() {
    const auto mask = [&](SetId set, std::size_t rows) -> std::shared_ptr<const std::vector<bool>> {
        if (!state().shown)
            return nullptr;
        auto flags = std::make_shared<std::vector<bool>>(rows);
        for (const SampleId sample : state().shown->in(set))
            if (sample.row < rows)
                (*flags)[sample.row] = true;
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
    if (maskedBy_ != state().shown || maskedPoints_ != points())
        masks_ = {mask(SetId::Real, points()->real.size()), mask(state().currentSet(), points()->synthetic.size())};
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
    real.visible = showReal_->isChecked();
    canvas_->setCloud(space::kRealCloud, std::move(real));
    space::Cloud synthetic;
    synthetic.points = {points(), &points()->synthetic};
    synthetic.colors = shown(state().currentSet(), colors_[space::kSyntheticCloud]);
    synthetic.shown = masks_[space::kSyntheticCloud];
    synthetic.diameter = 1.2F * diameter;
    synthetic.visible = showSynthetic_->isChecked();
    canvas_->setCloud(space::kSyntheticCloud, std::move(synthetic));
}

void SpaceView::refreshHighlights() {
    if (!canvas_ || !pointsFit())
        return;
    auto clouds = canvas_->drawing().clouds;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        clouds[i].colors = colors_[i];
    space::FocusHighlights focus = space::focusHighlights({state(), *points(), *selection(), clouds, palette()});
    canvas_->setHighlights(std::move(focus.highlights));
    caption_->setText(focus.caption.isEmpty() ? hint() : focus.caption);
    caption_->setToolTip(points()->arrangement == Arrangement::Components
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
    showReal_->setIcon(swatch(colors::real(palette()), SetId::Real, devicePixelRatioF()));
    showSynthetic_->setIcon(swatch(colors::synthetic(palette()), syntheticSet(0), devicePixelRatioF()));
    if (canvas_)
        canvas_->setColors(palette().color(QPalette::Base), colors::mutedText(palette()), colors::gridLine(palette()),
                           palette().color(QPalette::Text));
}

void SpaceView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
        refreshColors();
    }
    LinkedView::changeEvent(event);
}

void SpaceView::selectionChanged() {
    if (canvas_ && pointsFit())
        refreshClouds();
    refreshHighlights();
}

void SpaceView::hoverChanged() {
    refreshHighlights();
}

QString SpaceView::colorColumn() const {
    return column_->currentData().toString();
}

void SpaceView::setColorColumn(const QString& columnId) {
    if (const int at = column_->findData(columnId); at >= 0)
        column_->setCurrentIndex(at);
}

void SpaceView::setSetVisible(SetId set, bool visible) {
    (isReal(set) ? showReal_ : showSynthetic_)->setChecked(visible);
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
    return isReal(set) ? showReal_->isChecked() : set == state().currentSet() && showSynthetic_->isChecked();
}

} // namespace assay
