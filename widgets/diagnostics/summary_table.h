#pragma once

#include <QTableView>

namespace assay {

/// A small table that is shown whole: as large as its contents, neither scrolled nor selected from. Cells may have a
/// second, muted line, or a bar for the share that they state. A narrow table hides its last columns.
class SummaryTable : public QTableView {
    Q_OBJECT

public:
    /// ShareRole: in [0, 1], for a bar. RealSideRole: whether it is a share of real samples. DetailRole: second line.
    enum Role { ShareRole = Qt::UserRole, RealSideRole, DetailRole };

    SummaryTable(QAbstractItemModel* model, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int naturalWidth(int column) const;
    int contentHeight() const;
    void fit();
};

} // namespace assay
