#pragma once

#include "engine/data/sample_set.h"
#include "widgets/tables/row_model.h"

#include <QTableView>

#include <optional>
#include <vector>

class QAbstractButton;

namespace assay {

class CellDelegate;
class TableHeader;

/// The one table: shows a TableContent with its headings, sorts it by a click on a heading, gives its columns the room
/// that they need, copies it with Ctrl+C. The names of rows stay in sight when columns are scrolled.
///
/// At first a row can be chosen by click and arrow keys. Tab leaves the table.
class TableView : public QTableView {
    Q_OBJECT

public:
    /// How a row stands to the one selection of samples, in tables whose rows are samples.
    struct RowMarks {
        bool isChosen = false;  ///< in the selection
        bool isFocused = false; ///< the sample that the inspector explains
        bool isCurrent = false; ///< where Enter would choose
    };

    /// @param model outlives the table; null: the table keeps its own
    explicit TableView(QWidget* parent, RowModel* model = nullptr);

    /// Shows other content and fits its columns; chooses nothing. With as many columns as before, the order, the
    /// current cell and what is in sight stay.
    void setContent(TableContent content);
    const TableContent& content() const noexcept { return model_->content(); }
    RowModel& rows() noexcept { return *model_; }
    const RowModel& rows() const noexcept { return *model_; }
    /// Gives every column the width of its heading and cells, and hides those that do not fit where they may be hidden.
    void fitColumns();

    /// Rows of the content that are selected, and the current one, -1 for none.
    std::vector<int> selectedRows() const;
    int currentRow() const;
    /// Gives the names of rows another width than they need.
    void setNamesWidth(int width);
    /// Makes a row the current one and brings it into sight; emits nothing.
    void showRow(int row);
    /// Selects nothing; emits nothing.
    void clearChosen();

    /// As large as the contents, neither scrolled nor selected from.
    void showWhole();
    int rowHeight() const;
    /// Height with so many rows.
    int heightOf(int rows) const;
    int firstColumn() const;
    /// Width without the columns that may be hidden.
    int leastWidth() const;
    /// The table without scroll bars, its first kMaxInFigure rows and columns, for Figure::chart. It belongs to the
    /// table.
    QWidget* figureChart();
    static constexpr int kMaxInFigure = 40;

    virtual RowMarks marksOf(const QModelIndex& /*index*/) const { return {}; }
    virtual void paintPicture(QPainter& /*painter*/, const QRect& /*rect*/, SampleId /*sample*/) const {}

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void scrollToPlace(int place);
    void scrollToColumn(int column);
    /// Copies what is listed as tab-separated text.
    void copy();

signals:
    /// A person has selected other rows or cells.
    void chosenChanged();
    /// A person has made another row the current one.
    void rowChosen(int row);
    /// Double click or Enter on a cell; the row is the content's.
    void opened(int row, int column);
    void copied();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void updateGeometries() override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    TableHeader* headings() const;
    TableHeader* rowNames() const;
    int naturalWidth(int column) const;
    int leastWidthOf(int column) const;
    int hideColumns(const std::vector<int>& widths);
    void fit();
    void fitToModel();
    QStringList titlesInSight() const;
    void pressCorner();

    RowModel* model_;
    CellDelegate* delegate_;
    QAbstractButton* corner_;          ///< title of the names
    QWidget* figure_ = nullptr;        ///< made for an export
    std::vector<int> naturalWidths_{}; ///< of the columns
    QStringList fittedTitles_;         ///< in sight when columns were fitted last
    bool isWhole_ = false;
    bool isQuiet_ = false;   ///< the selection is being set, not chosen
    bool isPlacing_ = false; ///< in updateGeometries()
};

} // namespace assay
