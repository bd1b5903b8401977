#include "gui/window/filter_bar.h"

#include "gui/session/audit_session.h"
#include "widgets/common/eliding_label.h"
#include "widgets/common/number_format.h"

#include "engine/audit/result/finding.h"
#include "engine/data/embedding_set.h"
#include "widgets/common/controls.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace assay {
namespace {

/// "Shows 612 samples of the finding \u201cCrowded samples: 30 % of its samples \u2026\u201d"
QString findingText(const Finding& finding) {
    const QString count = formatCount(finding.rows.size());
    const QString what = finding.side == Side::Real ? FilterBar::tr("Shows %1 real samples of the finding")
                                                    : FilterBar::tr("Shows %1 synthetic samples of the finding");
    return FilterBar::tr("%1 \u201c%2: %3\u201d Scores, curves and decisions are of all samples.")
        .arg(what.arg(count), catalogText(finding.kind->title), QString::fromStdString(finding.sentence));
}

} // namespace

FilterBar::FilterBar(AuditSession* session, QWidget* parent)
    : QToolBar(tr("Filter"), parent), session_(session), text_(named<ElidingLabel>("filterText")) {
    setObjectName(QStringLiteral("filterBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false); // it comes and goes with the filter
    auto* all = newButton<QPushButton>("filterClear", tr("Show all"), tr("Show all samples again (Ctrl+Shift+L)"));
    auto* row = new QWidget;
    auto* layout = newLayout<QHBoxLayout>(row, {8, 2, 8, 2});
    layout->addWidget(text_, 1);
    layout->addWidget(all);
    addWidget(row);
    connect(all, &QPushButton::clicked, session_->editor(), &Editor::showAll);
    connect(session_->document(), &Document::stateChanged, this, &FilterBar::refresh);
    refresh();
}

void FilterBar::refresh() {
    const ViewState& state = session_->state();
    const bool filtered = state.shown != nullptr;
    if (filtered) {
        const auto part = [](std::size_t shown, std::size_t all) {
            return tr("%1 of %2").arg(formatCount(shown), formatCount(all));
        };
        text_->setText(tr("Showing %1 synthetic and %2 real samples: %3. Scores, curves and decisions are of all.")
                           .arg(part(state.shown->countIn(state.currentSet()), state.current().set->rows()),
                                part(state.shown->countIn(SetId::Real), state.audit->real->set->rows()),
                                filterText(state.filter)));
        if (const Finding* finding = filteredFinding(state))
            text_->setText(findingText(*finding));
    }
    setVisible(filtered);
}

} // namespace assay
