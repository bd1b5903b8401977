#pragma once

#include "widgets/link/sample_selection.h"

#include <QObject>

#include <optional>

class QKeyEvent;

namespace assay {

class RankingModel;

/// How the pages of a view are laid out, for keys that move by lines and pages.
struct PickGrid {
    int columns = 1;
    int rowsPerPage = 10;
};

/// Turns clicks and keys on positions of a ranking into changes of the one selection. List and gallery share it.
///
/// Click selects, Ctrl adds or removes, Shift adds everything from the last pick without it (also with arrow keys),
/// Ctrl+Shift takes as much away, Ctrl+A takes all that is listed, Escape clears.
class RankingPicker : public QObject {
    Q_OBJECT

public:
    explicit RankingPicker(RankingModel* model, QObject* parent);

    void click(std::size_t position, Qt::KeyboardModifiers modifiers);
    /// @return whether the key meant something here
    bool key(QKeyEvent* event, PickGrid grid);
    /// Position of the focused sample, if it is listed.
    std::optional<std::size_t> focusPosition() const;

signals:
    /// Enter: the person wants to look closely at the focused sample.
    void inspectRequested(assay::SampleId sample);

private:
    void pickRange(std::size_t position, Qt::KeyboardModifiers modifiers);
    std::optional<std::size_t> moved(int key, PickGrid grid) const;

    RankingModel* model_;
    GrowingChoice choice_;
    std::optional<SampleId> anchor_; ///< where a range starts; a sample, since positions change with the order
};

} // namespace assay
