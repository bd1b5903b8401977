#include "widgets/findings/example_strip.h"

#include "widgets/findings/example_tile.h"
#include "widgets/link/sample_selection.h"

#include <QGuiApplication>
#include <QResizeEvent>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kTileGap = 6;
constexpr int kSeveralLinesPicture = 48;

/// Tiles in lines of some width, with pictures of one edge.
struct Lines {
    ExampleTile::Look look;
    int count = 0;
    int height = 0;
    std::vector<QRect> places;
};

Lines linesOf(const std::vector<ExampleTile*>& tiles, int width, int edge) {
    const bool fits = std::ranges::all_of(tiles, [&](const ExampleTile* tile) { return tile->captionFits(edge); });
    Lines lines{{edge, fits ? 1 : 2}, tiles.empty() ? 0 : 1, 0, {}};
    QPoint at;
    for (const ExampleTile* tile : tiles) {
        const QSize size = tile->sizeFor(lines.look);
        if (at.x() > 0 && at.x() + size.width() > width) {
            at = {0, lines.height + kTileGap};
            ++lines.count;
        }
        lines.places.emplace_back(at, size);
        lines.height = std::max(lines.height, at.y() + size.height());
        at.rx() += size.width() + kTileGap;
    }
    return lines;
}

/// As few lines as possible, then pictures as large as possible; smaller ones where they take several lines.
Lines bestLines(const std::vector<ExampleTile*>& tiles, int width) {
    constexpr int kStep = 2;
    Lines best = linesOf(tiles, width, ExampleTile::kLargestPicture);
    for (int edge = best.look.edge - kStep; edge >= ExampleTile::kSmallestPicture; edge -= kStep)
        if (Lines lines = linesOf(tiles, width, edge); lines.count < best.count)
            best = std::move(lines);
    return best.count > 1 ? linesOf(tiles, width, std::min(best.look.edge, kSeveralLinesPicture)) : best;
}

} // namespace

ExampleStrip::ExampleStrip(const Finding& finding, SampleSelection* selection, ThumbnailCache* cache, QWidget* parent)
    : QWidget(parent), finding_(finding), selection_(selection) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    for (std::size_t at = 0; at < finding.examples.size(); ++at) {
        auto* tile = new ExampleTile(finding.examples[at], finding.side, selection, cache, this);
        tile->setObjectName(QStringLiteral("findingExample%1").arg(at));
        connect(tile, &QAbstractButton::clicked, this, [this, at] { selectLike(at); });
        connect(tile, &ExampleTile::inspectRequested, this, &ExampleStrip::inspectRequested);
        connect(tile, &ExampleTile::moved, this, [this, at](int step) {
            const auto next = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + step, 0,
                                                         static_cast<std::ptrdiff_t>(tiles_.size()) - 1);
            tiles_[static_cast<std::size_t>(next)]->setFocus(Qt::OtherFocusReason);
        });
        tiles_.push_back(tile);
    }
}

void ExampleStrip::setState(const ViewState& state) {
    state_ = state;
    for (ExampleTile* tile : tiles_)
        tile->setState(state);
    arrange();
    updateGeometry();
}

void ExampleStrip::selectLike(std::size_t example) {
    const SampleId sample = tiles_[example]->sample();
    const SampleSet like = state_.shownOf(SampleSet(sample.set, finding_.rowsLike(example)));
    selection_->chooseBy(QGuiApplication::keyboardModifiers(), like,
                         like.contains(sample) ? std::optional(sample) : std::nullopt);
}

int ExampleStrip::heightForWidth(int width) const {
    return bestLines(tiles_, width).height;
}

QSize ExampleStrip::sizeHint() const {
    int width = 0;
    for (const ExampleTile* tile : tiles_)
        width += tile->sizeHint().width() + kTileGap;
    // No layout makes it higher than this: where it is narrower, it has several lines.
    return {width, heightForWidth(testAttribute(Qt::WA_WState_Created) ? std::min(width, this->width()) : width)};
}

QSize ExampleStrip::minimumSizeHint() const {
    int widest = 0;
    for (const ExampleTile* tile : tiles_)
        widest = std::max(widest, tile->sizeFor({ExampleTile::kSmallestPicture, 2}).width());
    return {widest, heightForWidth(std::max(width(), widest))};
}

void ExampleStrip::resizeEvent(QResizeEvent* event) {
    arrange();
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void ExampleStrip::arrange() {
    const Lines lines = bestLines(tiles_, width());
    for (std::size_t at = 0; at < tiles_.size(); ++at) {
        tiles_[at]->setLook(lines.look);
        tiles_[at]->setGeometry(lines.places[at]);
    }
}

} // namespace assay
