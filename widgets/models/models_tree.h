#pragma once

#include <QStringList>
#include <QTreeView>

namespace assay {

/// The table of ModelsPanel. When compact, a row's name takes its own line across all columns, above the numbers.
class ModelsTree : public QTreeView {
    Q_OBJECT

public:
    explicit ModelsTree(QWidget* parent);

    void setCompact(bool compact);
    bool isCompact() const noexcept { return compact_; }
    /// Row height that the delegate returns.
    int rowHeightWanted() const;
    /// Share of bad samples as a compact row shows it in a first column of this width: in words where they fit.
    QString badShareShown(const QModelIndex& index, int width) const;

    /// Upper line of a compact row. The name comes first: what is suspicious about the model is elided or left out.
    struct CompactTitle {
        QString name; ///< with the mark of a suspicious model
        QString concern;
    };
    CompactTitle compactTitle(const QModelIndex& index, const QFontMetrics& metrics, int width) const;

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QStringList namesShown() const;

    bool compact_ = false;
};

} // namespace assay
