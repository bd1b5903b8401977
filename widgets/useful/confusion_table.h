#pragma once

#include <QTableView>

namespace assay {

/// The table of a ConfusionModel: errors in the colours of scores, right answers in grey, names of classes upright
/// where they are longer than the columns are wide.
class ConfusionTable : public QTableView {
    Q_OBJECT

public:
    explicit ConfusionTable(QWidget* parent);

    /// Gives the cells the room of their numbers, and a share of what is free where classes are few.
    void fitCells();

    QSize sizeHint() const override { return {200, 110}; } ///< it takes what room there is

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void spread();

    int widest_ = 0; ///< of the numbers
};

} // namespace assay
