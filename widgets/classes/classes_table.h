#pragma once

#include <QTableView>

namespace assay {

/// The table of ClassesPanel. The classes' names stay in place when the scores are scrolled. Headings wrap, and those
/// of scores say whose samples they are of, with a bar in that set's colour.
class ClassesTable : public QTableView {
    Q_OBJECT

public:
    /// @param model a ClassesModel, perhaps sorted
    ClassesTable(QAbstractItemModel* model, QWidget* parent);

    /// Gives every column the width of its heading and numbers, within bounds.
    void fitColumns();

    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

signals:
    /// Double click or Enter on a row.
    void opened(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void updateGeometries() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeNames();
    void connectNames();
    bool takeMouse(const QMouseEvent& event);

    QTableView* names_ = nullptr; ///< over the first column: shows that column alone
};

} // namespace assay
