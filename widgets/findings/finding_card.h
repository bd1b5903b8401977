#pragma once

#include "engine/audit/findings/findings.h"

#include <QFrame>

namespace assay {

/// One finding: what is wrong, by how much, and what can be done about it. A click, Enter or Space chooses it.
class FindingCard : public QFrame {
    Q_OBJECT

public:
    /// @param finding outlives the card
    FindingCard(const Finding& finding, QWidget* parent);

    const Finding& finding() const noexcept { return finding_; }
    /// Shows whether its samples are what is selected.
    void setChosen(bool chosen);

signals:
    /// The person wants to see its samples.
    void chosen();
    void ruleWanted();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const Finding& finding_;
    bool chosen_ = false;
};

} // namespace assay
