#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_view.h"

#include <optional>

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// A table whose rows are samples (TableContent::sample). It shows the one selection: chosen rows are lit in yellow,
/// the focused one stands between lines.
///
/// A click or an arrow key selects a row's sample, Ctrl adds or removes it; Enter or a double click requests it to be
/// inspected; hovering shows the sample everywhere.
class SampleTable : public TableView {
    Q_OBJECT

public:
    /// @param selection, pictures outlive the table
    /// @param model outlives the table; null: the table keeps its own
    SampleTable(SampleSelection* selection, ThumbnailCache* pictures, QWidget* parent, RowModel* model = nullptr);

    /// Shows rows of samples of the state's audit.
    void showSamples(const ViewState& state, TableContent content);
    /// Brings the row of the focused sample into sight, where it is listed.
    /// @return where it lies in the table, which may itself be scrolled; nothing where it is not listed
    std::optional<QRect> followFocus();

    RowMarks marksOf(const QModelIndex& index) const override;
    void paintPicture(QPainter& painter, const QRect& rect, SampleId sample) const override;

signals:
    void inspectRequested(assay::SampleId sample);

protected:
    /// The state that the samples are of, for cards about them.
    void setState(const ViewState& state) { state_ = state; }
    SampleId sampleAt(int place) const { return content().sample(rows().rowAt(place)); }
    /// A click on a row.
    virtual void pick(int place, Qt::KeyboardModifiers modifiers);
    /// Double click or Enter on a row.
    virtual void inspect(int place);

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    ViewState state_;
    SampleSelection* selection_;
    ThumbnailCache* pictures_;
};

} // namespace assay
