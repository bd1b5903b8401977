#pragma once

#include "engine/audit/result/audit_result.h"

#include <QAbstractTableModel>

#include <memory>

namespace assay {

/// Every model of an audit, one a row in the audit's order, with the figures that decide which one is best.
class ModelsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Section { Name, ClippedDensity, ClippedCoverage, BadFidelity, BadCoverage, Authenticity, Pce, SectionCount };
    /// SortRole: a number, or the name in lower case. ConcernRole: what is suspicious, in one or two words, or empty.
    /// BadShareRole: that nothing was found, or the estimated share of bad samples, or where there are no verdicts, the
    /// equivalent bad fraction by clipped density, in words. ShortBadShareRole: the same in fewer letters.
    /// NameRole: the name without a mark.
    enum Role { SortRole = Qt::UserRole, ConcernRole, BadShareRole, ShortBadShareRole, NameRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setAudit(std::shared_ptr<const AuditResult> audit);
    /// Headers as short as a narrow dock needs them.
    void setShortHeaders(bool wanted);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cellText(const ModelAudit& model, int section) const;
    static QString badShareToolTip(const ModelAudit& model);

    std::shared_ptr<const AuditResult> audit_;
    bool shortHeaders_ = false;
};

} // namespace assay
