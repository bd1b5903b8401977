#include "widgets/scores/scores_table.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/scores/scores_model.h"
#include "widgets/text/score_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kInset = 8;
constexpr int kRightInset = 7;
constexpr int kCurrentBar = 3;
constexpr double kBestDot = 2.2; // radius

/// Names of metrics at the left, which way is better at the right.
class MetricHeader : public QHeaderView {
public:
    explicit MetricHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {
        setSectionResizeMode(Fixed);
        setObjectName(QStringLiteral("scoresMetrics"));
    }

protected:
    QSize sectionSizeFromContents(int section) const override {
        const QFontMetrics metrics = fontMetrics();
        const int longest = 34 * metrics.averageCharWidth();
        const QString title = model()->headerData(section, Qt::Vertical, Qt::DisplayRole).toString();
        return {std::min(metrics.horizontalAdvance(title), longest) + markWidth() + 3 * kInset, metrics.height()};
    }

    void paintEvent(QPaintEvent* event) override {
        QPainter(viewport()).fillRect(event->rect(), palette().color(QPalette::Base)); // below the last row, too
        QHeaderView::paintEvent(event);
    }

    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        painter->save();
        painter->fillRect(rect, palette().color(section % 2 ? QPalette::AlternateBase : QPalette::Base));
        const QRect line = rect.adjusted(kInset, 0, -kInset, 0);
        const QString title = model()->headerData(section, Qt::Vertical, Qt::DisplayRole).toString();
        const int room = line.width() - markWidth() - kInset;
        painter->setPen(palette().color(QPalette::Text));
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          fontMetrics().elidedText(title, Qt::ElideRight, room));
        painter->setPen(colors::mutedText(palette()));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                          model()->headerData(section, Qt::Vertical, ScoresModel::MarkRole).toString());
        painter->setPen(colors::gridLine(palette()));
        painter->drawLine(rect.topRight(), rect.bottomRight());
        painter->restore();
    }

private:
    int markWidth() const {
        int widest = 0;
        for (const Direction better : {Direction::Higher, Direction::Lower, Direction::NearestToZero})
            widest = std::max(widest, fontMetrics().horizontalAdvance(directionMark(better)));
        return widest;
    }
};

/// Names of models, a bar below the current one's.
class ModelHeader : public QHeaderView {
public:
    explicit ModelHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setObjectName(QStringLiteral("scoresModels"));
        setSectionsClickable(true);
        setHighlightSections(false);
        setSectionResizeMode(Interactive);
        setMinimumSectionSize(40);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const bool current = model()->headerData(section, Qt::Horizontal, ScoresModel::CurrentRole).toBool();
        const bool suspicious = model()->headerData(section, Qt::Horizontal, ScoresModel::SuspiciousRole).toBool();
        painter->save();
        QStyleOptionHeader option;
        initStyleOption(&option);
        option.rect = rect;
        option.section = section;
        style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
        QFont bold = font();
        bold.setBold(current);
        const QFontMetricsF metrics(bold);
        // The mark of a suspicious model stays visible even after a long name.
        const QString mark = suspicious ? ScoresModel::suspicionMark() : QString();
        const QRect line = rect.adjusted(kInset / 2, 0, -kRightInset, 0);
        const QString name = shownName(section, metrics, line.width() - metrics.horizontalAdvance(mark));
        painter->setFont(bold);
        painter->setPen(palette().color(QPalette::ButtonText));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, name + mark);
        if (current)
            painter->fillRect(rect.left(), rect.bottom() - kCurrentBar + 1, rect.width(), kCurrentBar,
                              colors::synthetic(palette()));
        painter->restore();
    }

private:
    QStringList namesOf(int section) const {
        return model()->headerData(section, Qt::Horizontal, ScoresModel::NamesRole).toStringList();
    }

    /// Name of the column's model, or of both models of a difference, elided so that no two columns read the same.
    QString shownName(int section, const QFontMetricsF& metrics, qreal width) const {
        const QString minus = QStringLiteral(" \u2212 ");
        QStringList shown = namesOf(section);
        if (metrics.horizontalAdvance(shown.join(minus)) <= width)
            return shown.join(minus);
        QStringList all;
        for (int other = 0; other < count(); ++other)
            all.append(namesOf(other));
        const auto parts = static_cast<qreal>(shown.size());
        for (QString& name : shown)
            name = elidedName(name, all, metrics, (width - (parts - 1) * metrics.horizontalAdvance(minus)) / parts);
        return shown.join(minus);
    }
};

class ScoresDelegate : public QStyledItemDelegate {
public:
    explicit ScoresDelegate(QTableView* table) : QStyledItemDelegate(table), table_(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        item.state &= ~(QStyle::State_HasFocus | QStyle::State_Selected);
        if (index.data(ScoresModel::CurrentRole).toBool()) {
            QColor tint = colors::synthetic(option.palette);
            tint.setAlphaF(0.10F);
            painter->fillRect(option.rect, tint);
        }
        initStyleOption(&item, index);
        const QString text = std::exchange(item.text, QString());
        table_->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, table_);
        painter->save();
        painter->setFont(item.font);
        const QVariant verdict = index.data(ScoresModel::VerdictRole);
        const bool faint = verdict.isValid() && verdict.toString().isEmpty();
        const QRect line = option.rect.adjusted(kInset, 0, -kRightInset, 0);
        painter->setPen(faint ? colors::mutedText(option.palette) : option.palette.color(QPalette::Text));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, text);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, verdict.toString());
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.data(ScoresModel::BestRole).toBool()) {
            // Hollow where the model itself is suspicious: its best may be worth nothing.
            const bool hollow = index.data(ScoresModel::SuspiciousRole).toBool();
            painter->setPen(QPen(option.palette.color(QPalette::Text), 1.0));
            painter->setBrush(hollow ? QBrush() : option.palette.color(QPalette::Text));
            painter->drawEllipse(QPointF(option.rect.left() + kInset, option.rect.center().y() + 0.5), kBestDot,
                                 kBestDot);
        }
        if (table_->hasFocus() && index == table_->currentIndex()) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(option.palette.color(QPalette::Highlight), 1.5));
            painter->drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    QTableView* table_;
};

} // namespace

ScoresTable::ScoresTable(QAbstractItemModel* model, QWidget* parent) : QTableView(parent) {
    setVerticalHeader(new MetricHeader(this));
    setHorizontalHeader(new ModelHeader(this));
    setModel(model);
    setItemDelegate(new ScoresDelegate(this));
    setSelectionMode(NoSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setCornerButtonEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(ScrollPerItem); // no name or number is cut off at the left
    fitRows();
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &ScoresTable::modelChosen);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& at) { emit modelChosen(at.column()); });
}

void ScoresTable::fitRows() {
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
}

void ScoresTable::fitColumns() {
    for (int column = 0; column < model()->columnCount(); ++column)
        fitColumn(column);
}

void ScoresTable::fitColumn(int column) {
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    const auto widthOf = [&](const QVariant& text) { return metrics.horizontalAdvance(text.toString()); };
    const int least = fontMetrics().horizontalAdvance(QStringLiteral("-0.000")) + 4 * kInset;
    const int most = 20 * fontMetrics().averageCharWidth() + 2 * kInset;
    int width = std::clamp(widthOf(model()->headerData(column, Qt::Horizontal)) + 2 * kInset, least, most);
    int verdict = 0; // words stand in a column of their own
    for (int row = 0; row < model()->rowCount(); ++row)
        verdict = std::max(verdict, widthOf(model()->index(row, column).data(ScoresModel::VerdictRole)));
    for (int row = 0; row < model()->rowCount(); ++row)
        width = std::max(width, verdict + widthOf(model()->index(row, column).data()) + 3 * kInset + 6);
    setColumnWidth(column, width);
}

void ScoresTable::placeBeside(int column, int other) {
    QHeaderView* header = horizontalHeader();
    const int from = header->visualIndex(column);
    const int beside = header->visualIndex(other);
    header->moveSection(from, from < beside ? beside : beside + 1);
}

void ScoresTable::scrollToModel(int column) {
    if (model()->rowCount() > 0)
        scrollTo(model()->index(std::max(0, rowAt(0)), column));
}

void ScoresTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        emit modelChosen(currentIndex().column());
        return;
    }
    QTableView::keyPressEvent(event);
}

void ScoresTable::resizeEvent(QResizeEvent* event) {
    verticalHeader()->setMaximumWidth(std::max(80, width() / 2)); // a narrow panel shows numbers, too
    QTableView::resizeEvent(event);
}

void ScoresTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitRows();
        fitColumns();
    }
}

} // namespace assay
