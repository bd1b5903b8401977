#pragma once

#include <QTableView>

namespace assay {

class ScoresModel;

/// The table of ScoresPanel. Metrics stand in the row headers, which stay in place when the models are scrolled. The
/// current model's column is tinted and has a bar below its name; the best value of a row is bold, with a dot, which is
/// hollow where the model is suspicious. A column of differences stands beside the current model's: bold, with a word,
/// where the two models differ significantly, faint where not.
///
/// Enter or a double click on a value, or a click on a model's name, chooses that model; Ctrl+C copies.
class ScoresTable : public QTableView {
    Q_OBJECT

public:
    /// @param model what is shown, perhaps filtered: rows and headers of a ScoresModel
    ScoresTable(QAbstractItemModel* model, QWidget* parent);

    /// Gives every column the width of its name and numbers, within bounds.
    void fitColumns();
    void fitColumn(int column);
    /// Puts a column right of another one.
    void placeBeside(int column, int other);
    void scrollToModel(int column);

signals:
    void modelChosen(int column);
    void copyRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitRows();
};

} // namespace assay
