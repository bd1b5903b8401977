#pragma once

#include "engine/data/sample_set.h"
#include "engine/subsets/order/sample_listing.h"
#include "widgets/link/view_state.h"

#include <QColor>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QKeyEvent;
class QPalette;

namespace assay {

class SampleSelection;
struct BarFeatures;
class SampleSelection;

/// A word in a corner of a picture.
struct GridBadge {
    QString word{};
    QString brief{}; ///< where there is no room for the word; empty: nothing then
    QColor color{};  ///< of its ground; invalid: that of a text field
};

/// One picture of a cell. Decisions, notes and the part that its sample takes in the selection are marked by the grid.
struct GridPicture {
    SampleId sample{};
    bool heldOut = false;                      ///< of the held-out set: it cannot be selected
    bool rimmed = false;                       ///< framed in the colour of its set
    QColor strip{};                            ///< of the line below it; invalid: none
    QColor tint{};                             ///< of the tile of a sample without a picture; invalid: neutral
    GridBadge tag{};                           ///< at its top left
    GridBadge badge{};                         ///< at its top right
    QString caption{};                         ///< one line below it, where the grid has such lines
    std::shared_ptr<const BarFeatures> bars{}; ///< features to draw it by instead of a picture
};

/// Sign before the last line of a caption: a dot inside or beside a ring.
enum class GridSign { None, Inside, Outside };

/// One or more samples that are shown together, and what is said about them.
struct GridCell {
    std::vector<GridPicture> pictures{};
    QString caption{};   ///< broken into lines where it is too wide, and at line feeds
    bool marked = false; ///< a magenta strip below the pictures, and the caption's first line is bold
    GridSign sign = GridSign::None;
    QString note{};       ///< rich text on the card of its samples; see GridContents::note()
    QString spokenText{}; ///< see GridContents::spokenText()
};

/// What a SampleGrid shows. Cells are asked for while they are in sight, so that a million cost no more than a hundred.
class GridContents {
public:
    virtual ~GridContents() = default;

    virtual std::size_t size() const = 0;
    virtual GridCell cell(std::size_t at, const QPalette& palette) const = 0;
    /// The same for all cells.
    virtual std::size_t picturesPerCell() const { return 1; }
    /// A caption as wide as any: the grid breaks captions where it is too wide for one line. Empty: there are none.
    virtual QString widestCaption() const { return {}; }

    /// State in which decisions and scores of samples are looked up; of a held-out sample in an audit of its own.
    virtual const ViewState& state(bool heldOut = false) const = 0;
    /// Rich text above what the card says of a sample.
    virtual QString note(std::size_t at, std::size_t picture) const;
    /// Rich text for the caption's tooltip.
    virtual QString captionHint(std::size_t /*at*/) const { return {}; }
    /// A picture in words, for screen readers.
    virtual QString spokenText(std::size_t at, std::size_t picture) const;

    /// The cell and the picture of a sample; none where it is not listed.
    struct Place {
        std::size_t cell = 0;
        std::size_t picture = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    virtual std::optional<Place> find(SampleId sample) const;
    /// A picture was clicked, or the keyboard came to it.
    virtual void choose(Place place, Qt::KeyboardModifiers modifiers) = 0;
    /// A key that means something to these contents. @return false: the grid takes it
    virtual bool takesKey(QKeyEvent* /*event*/) { return false; }

    /// Groups of cells below headings, one after another; empty: no headings.
    virtual const std::vector<SampleGroup>& groups() const;
    virtual QString headingText(std::size_t /*group*/) const { return {}; }
    /// The sample whose picture is in a heading.
    virtual std::optional<SampleId> headingSample(std::size_t /*group*/) const { return std::nullopt; }
    virtual void chooseGroup(std::size_t /*group*/, Qt::KeyboardModifiers /*modifiers*/) {}
};

using GridPlace = GridContents::Place;

/// A few cells that are known beforehand. A picture that is chosen is selected.
class GridList : public GridContents {
public:
    /// @param selection outlives the list
    explicit GridList(SampleSelection* selection) : selection_(selection) {}

    void set(const ViewState& state, std::vector<GridCell> cells);
    /// Takes decisions and marks of another state of the same audit.
    void setState(const ViewState& state) { state_ = state; }
    /// Cells of one sample each.
    static std::vector<GridCell> singles(const std::vector<SampleId>& samples);
    /// All samples, picture by picture.
    std::vector<SampleId> samples() const;

    std::size_t size() const override { return cells_.size(); }
    GridCell cell(std::size_t at, const QPalette& palette) const override;
    std::size_t picturesPerCell() const override;
    QString widestCaption() const override;
    const ViewState& state(bool heldOut = false) const override;
    QString note(std::size_t at, std::size_t picture) const override;
    QString spokenText(std::size_t at, std::size_t picture) const override;
    std::optional<Place> find(SampleId sample) const override;
    void choose(Place place, Qt::KeyboardModifiers modifiers) override;

protected:
    SampleSelection* selection() const noexcept { return selection_; }

private:
    SampleSelection* selection_;
    ViewState state_;
    std::vector<GridCell> cells_;
};

} // namespace assay
