#include "gui/pages/history_window.h"

#include "gui/session/audit_session.h"
#include "widgets/common/controls.h"

#include <QAbstractTableModel>
#include <QCoreApplication>
#include <QDateTime>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct HistoryWords {
    Q_DECLARE_TR_FUNCTIONS(assay::HistoryWindow)
};

QString localTime(const std::string& at) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(at), Qt::ISODate).toLocalTime();
    if (!time.isValid()) // as another program has written it
        return QString::fromStdString(at);
    const QLocale locale;
    return HistoryWords::tr("%1 %2").arg(locale.toString(time.date(), QLocale::ShortFormat),
                                         locale.toString(time.time(), QStringLiteral("HH:mm:ss")));
}

/// Newest first.
class HistoryModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(std::shared_ptr<const History> history) {
        beginResetModel();
        history_ = history ? std::move(history) : std::make_shared<const History>();
        endResetModel();
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(history_->size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override {
        if (role != Qt::DisplayRole && !(role == Qt::ToolTipRole && index.column() == 1))
            return {};
        const HistoryEntry& entry = (*history_)[history_->size() - 1 - static_cast<std::size_t>(index.row())];
        return index.column() == 0 ? localTime(entry.at) : QString::fromStdString(entry.what);
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
            return {};
        return section == 0 ? HistoryWords::tr("When") : HistoryWords::tr("What");
    }

private:
    std::shared_ptr<const History> history_ = std::make_shared<const History>();
};

QTableView* makeTable(QAbstractItemModel* model) {
    auto* table = named<QTableView>("historyTable");
    table->setModel(model);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setHighlightSections(false);
    table->setColumnWidth(0, table->fontMetrics().horizontalAdvance(QStringLiteral("00/00/0000 00:00:00")) + 24);
    return table;
}

} // namespace

QDialog* makeHistoryWindow(QWidget* parent, AuditSession* session) {
    auto* window = newDialog<QDialog>("history", parent);
    window->setWindowTitle(HistoryWords::tr("History of the audit"));
    window->resize(560, 480);
    auto* model = new HistoryModel(window);
    auto* where = named<QLabel>("historyPlace");
    where->setWordWrap(true);
    addAll(new QVBoxLayout(window), where, makeTable(model));
    const auto show = [model, where, session] {
        model->show(session->document()->history());
        where->setText(session->document()->auditFile().isEmpty()
                           ? HistoryWords::tr("Kept with the audit once it is saved in a file.")
                           : HistoryWords::tr("Kept in %1.").arg(session->document()->auditFile()));
    };
    QObject::connect(session->document(), &Document::historyChanged, window, show);
    QObject::connect(session, &AuditSession::opened, window, show);
    show();
    return window;
}

} // namespace assay
