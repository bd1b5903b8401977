#pragma once

#include <QTableView>

namespace assay {

/// The table of a ClassUtilityModel, perhaps sorted: shares as bars behind their numbers.
class ClassUtilityTable : public QTableView {
    Q_OBJECT

public:
    ClassUtilityTable(QAbstractItemModel* model, QWidget* parent);

    QSize sizeHint() const override { return {200, 110}; } ///< it takes what room there is

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
};

} // namespace assay
