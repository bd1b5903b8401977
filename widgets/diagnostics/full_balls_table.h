#pragma once

#include "engine/data/sample_id.h"
#include "widgets/link/thumbnail_cache.h"

#include <QTableView>

#include <optional>

namespace assay {

class FullBallsModel;
class SampleSelection;

/// The list of fullest balls, each with the picture of its real sample. Selected samples are lit in yellow, the focused
/// one stands between lines.
///
/// A click or an arrow key selects a row's sample, Ctrl adds or removes it; Enter or a double click requests it to be
/// inspected; a click on a heading sorts.
class FullBallsTable : public QTableView {
    Q_OBJECT

public:
    /// @param model, selection and pictures outlive the table
    FullBallsTable(FullBallsModel* model, SampleSelection* selection, ThumbnailCache* pictures,
                   QWidget* parent);

    /// Gives every column the width of its numbers.
    void fit();
    /// Brings the row of the focused sample into sight, where it is listed.
    /// @return where it lies in the table, which may itself be scrolled; nothing where it is not listed
    std::optional<QRect> followSelection();

    /// Height of all rows and the header.
    int fullHeight() const;
    /// Width for a short id and the columns that no other column implies.
    int leastWidth() const;

signals:
    void inspectRequested(assay::SampleId sample);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    void fitRows();
    void fitColumns();
    int numberWidth(int column) const;
    void pick(const QModelIndex& index, Qt::KeyboardModifiers modifiers);
    void inspect(const QModelIndex& index);

    FullBallsModel* balls_;
    SampleSelection* selection_;
    ThumbnailCache* pictures_;
    bool following_ = false; ///< the current row is being set, not chosen
};

} // namespace assay
