#pragma once

#include "widgets/link/sample_selection.h"

#include <QObject>

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

class QKeyEvent;

namespace assay {

class RankingModel;

/// Where a key leads from a position (none: nothing is focused); nothing for keys that do not move.
using PickMoves = std::function<std::optional<std::size_t>(int key, std::optional<std::size_t> from)>;

/// How keys move in a list of so many lines, of which a page shows some.
std::optional<std::size_t> movedInList(int key, std::optional<std::size_t> from, std::size_t lines, int page);

/// Turns clicks and keys on positions of a ranking into changes of the one selection. List and gallery share it.
///
/// Click selects, Ctrl adds or removes, Shift adds everything from the last pick without it (also with arrow keys),
/// Ctrl+Shift takes as much away, Ctrl+A takes all that is listed, Escape clears.
class RankingPicker : public QObject {
    Q_OBJECT

public:
    explicit RankingPicker(RankingModel* model, QObject* parent);

    /// Restricts ranges to the positions that a view shows; all without a function.
    void setVisible(std::function<bool(std::size_t)> isVisible) { isVisible_ = std::move(isVisible); }

    void click(std::size_t position, Qt::KeyboardModifiers modifiers);
    /// @return whether the key meant something here
    bool key(QKeyEvent* event, const PickMoves& moves);
    /// Position of the focused sample, if it is listed.
    std::optional<std::size_t> focusPosition() const;

signals:
    /// Enter: the person wants to look closely at the focused sample.
    void inspectRequested(assay::SampleId sample);

private:
    void pickRange(std::size_t position, Qt::KeyboardModifiers modifiers);

    RankingModel* model_;
    GrowingChoice choice_;
    std::function<bool(std::size_t)> isVisible_;
    std::optional<SampleId> anchor_; ///< where a range starts; a sample, since positions change with the order
};

} // namespace assay
