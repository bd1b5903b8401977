#pragma once

#include <QToolBar>

class QLabel;

namespace assay {

class AuditSession;

/// Says above all panels what is not shown, and shows it again: "Showing 1,500 of 15,000 samples: class 8". Hidden
/// while everything is shown.
class FilterBar : public QToolBar {
    Q_OBJECT

public:
    /// @param session outlives the bar
    FilterBar(AuditSession* session, QWidget* parent);

private:
    void refresh();

    AuditSession* session_;
    QLabel* text_;
};

} // namespace assay
