#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QTableView>

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

class QLabel;
class QPalette;

namespace assay {

/// One cell of a heat table.
struct HeatCell {
    double shade = std::numeric_limits<double>::quiet_NaN(); ///< place on the colour map, [0, 1]; NaN: no colour
    QString text{};
    bool isSame = false; ///< its row and its column are the same thing: outlined, which makes the diagonal
};

/// What a heat table shows: classes by classes, as in a confusion matrix. Cells are asked for when they are drawn, so
/// that a million of them cost nothing.
struct HeatContent {
    QString rowsTitle;    ///< what a row is: "Synthetic class"
    QString columnsTitle; ///< what a column is: "Class of the nearest real sample"
    QStringList rows;
    QStringList columns;
    QString widest = QStringLiteral("99.9 %"); ///< the widest text of a cell
    std::function<HeatCell(std::size_t row, std::size_t column)> cell{};
    std::function<QString(std::size_t row, std::size_t column)> toolTip{};     ///< rich text; may be empty
    std::function<QString(std::size_t row, std::size_t column)> description{}; ///< for screen readers; may be empty
};

/// A place in a heat table.
struct HeatPlace {
    std::size_t row = 0;
    std::size_t column = 0;

    friend bool operator==(const HeatPlace&, const HeatPlace&) = default;
};

/// The content as an item model. Display: a cell's text; ShadeRole: its shade, invalid for none; SameRole.
class HeatModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { ShadeRole = Qt::UserRole, SameRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setContent(HeatContent content);
    const HeatContent& content() const noexcept { return content_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    HeatContent content_;
};

/// A table of coloured numbers: cells on the one colour map for scores, with a number that is readable on every colour.
/// Names of rows and columns stay in sight and are elided; those of columns are turned where they are wide.
///
/// A click chooses a cell, on a name its row or column; Ctrl and Shift choose several, arrow keys move. A double click
/// or Enter opens what is chosen.
class HeatTable : public QTableView {
    Q_OBJECT

public:
    /// Largest number of rows and of columns in a figure.
    static constexpr std::size_t kMostInFigure = 40;

    explicit HeatTable(QWidget* parent);

    /// Shows other content; nothing is chosen.
    void setContent(HeatContent content);
    const HeatContent& content() const noexcept { return model_->content(); }

    /// The chosen cells, row by row.
    std::vector<HeatPlace> chosen() const;
    /// Chooses nothing; emits nothing.
    void clearChosen();
    /// Brings the chosen cell of a place into sight and chooses it, as a click does.
    void choose(HeatPlace place);

    /// The table without scroll bars, its first kMostInFigure rows and columns, for Figure::chart. It belongs to the
    /// table.
    QWidget* figureChart();

signals:
    /// A person has chosen other cells.
    void chosenChanged();
    /// Double click or Enter on the chosen cells.
    void opened();

protected:
    void updateGeometries() override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitSections();

    HeatModel* model_;
    QLabel* corner_ = nullptr;   ///< says what rows are
    QWidget* drawing_ = nullptr; ///< for figures
    bool isClearing_ = false;
    bool isPlacing_ = false; ///< in updateGeometries()
};

} // namespace assay
