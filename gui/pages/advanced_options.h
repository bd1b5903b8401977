#pragma once

#include "engine/audit/run/audit.h"
#include "engine/io/preparation/prepare.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLayout;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace assay {

/// Options of an audit that few people change; hidden until the section is opened.
class AdvancedOptions : public QWidget {
    Q_OBJECT

public:
    explicit AdvancedOptions(QWidget* parent = nullptr);

    /// Unfolds what is not as usual.
    void setOptions(const AuditOptions& options, const PreparationChoice& choice);
    /// The usual options but for what is chosen here.
    AuditOptions options() const;
    /// How values are prepared, as chosen here.
    PreparationChoice choice() const;

    /// What a column of the tables holds, as chosen elsewhere; empty: it is to be found out.
    void setColumnKind(const QString& column, std::optional<ColumnKind> kind);

    /// Why the choice is invalid, as a sentence; empty if it is valid.
    QString problem() const;

signals:
    void changed();

private:
    /// 0 for none; nothing where what was written is not a valid size.
    std::optional<std::size_t> memoryLimit() const;
    QWidget* makeFields();
    QLayout* coverRow();
    void fillTables();
    void fillBackends();
    QStringList ignoredNames() const;

    QToolButton* toggle_;
    QSpinBox* k_;
    QSpinBox* coverK_;
    QSpinBox* coverC_;
    QComboBox* backend_;
    QComboBox* scaling_;
    QComboBox* missing_;
    QCheckBox* oneHot_;
    QLineEdit* ignored_;
    QCheckBox* oneClass_;
    QLineEdit* memory_;
    std::vector<ColumnChoice> columnKinds_; ///< as chosen elsewhere; with ColumnKind::LeftOut beside the field's names
};

} // namespace assay
