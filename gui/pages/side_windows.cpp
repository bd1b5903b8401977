#include "gui/pages/side_windows.h"

#include "engine/base/find_by.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/parts/references.h"
#include "engine/version.h"
#include "gui/desktop/icons.h"
#include "gui/desktop/menu_actions.h"
#include "gui/session/audit_session.h"
#include "widgets/common/controls.h"
#include "widgets/common/library_versions.h"
#include "widgets/common/number_format.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QStringList>
#include <QTableView>
#include <QTextBrowser>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct HelpWords {
    Q_DECLARE_TR_FUNCTIONS(assay::Help)
};

QString kindText(GlossaryEntry::Kind kind) {
    switch (kind) {
    case GlossaryEntry::Kind::Word:
        break;
    case GlossaryEntry::Kind::Metric:
        return HelpWords::tr("Of a whole set");
    case GlossaryEntry::Kind::SyntheticColumn:
        return HelpWords::tr("Of each synthetic sample");
    case GlossaryEntry::Kind::RealColumn:
        return HelpWords::tr("Of each real sample");
    case GlossaryEntry::Kind::Curve:
        return HelpWords::tr("Curve");
    }
    return {};
}

bool matches(const GlossaryEntry& entry, const QString& wanted) {
    return QStringList({catalogText(entry.title), catalogText(entry.id), catalogText(entry.meaning),
                        catalogText(entry.source), catalogText(entry.synonyms)})
        .join(QLatin1Char(' '))
        .contains(wanted, Qt::CaseInsensitive);
}

QString htmlOf(const GlossaryEntry& entry) {
    QString html = QStringLiteral("<h3><a name=\"%1\"></a>%2</h3><p>%3</p>")
                       .arg(QString::fromStdString(entry.key()), catalogText(entry.title).toHtmlEscaped(),
                            catalogText(entry.meaning).toHtmlEscaped());
    if (!entry.formula.empty())
        html += QStringLiteral("<p><code>%1</code></p>").arg(catalogText(entry.formula).toHtmlEscaped());
    QStringList facts;
    if (entry.kind != GlossaryEntry::Kind::Word) // of a word there is no more to say
        facts << QStringLiteral("<i>%1</i>")
                     .arg(HelpWords::tr("%1, in files: %2.")
                              .arg(kindText(entry.kind), catalogText(entry.id))
                              .toHtmlEscaped());
    if (!entry.source.empty()) {
        const report::Reference* paper = findBy(report::references(), &report::Reference::source, entry.source);
        const QString source = catalogText(entry.source).toHtmlEscaped();
        facts << (paper ? QStringLiteral("<a href=\"%1\">%2</a>").arg(catalogText(paper->address), source) : source);
    }
    return html + QStringLiteral("<p>%1</p>").arg(facts.join(QLatin1Char(' ')));
}

QString symbolsHtml() {
    QString html = QStringLiteral("<h3>%1</h3><table cellpadding=\"2\">").arg(HelpWords::tr("Symbols of the formulas"));
    for (const GlossarySymbol& symbol : glossarySymbols())
        html += QStringLiteral("<tr><td><code>%1</code></td><td>%2</td></tr>")
                    .arg(catalogText(symbol.symbol).toHtmlEscaped(), catalogText(symbol.meaning).toHtmlEscaped());
    return html + QStringLiteral("</table>");
}

QDialog* makeWindow(QWidget* parent, const char* name, const QString& title) {
    auto* window = newDialog<QDialog>(name, parent);
    window->setWindowTitle(title);
    window->resize(560, 600);
    return window;
}

QString localTime(const std::string& at) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(at), Qt::ISODate).toLocalTime();
    if (!time.isValid()) // as another program has written it
        return QString::fromStdString(at);
    const QLocale locale;
    return HelpWords::tr("%1 %2").arg(locale.toString(time.date(), QLocale::ShortFormat),
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
        return section == 0 ? HelpWords::tr("When") : HelpWords::tr("What");
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

QDialog* makeDefinitionsWindow(QWidget* parent) {
    QDialog* window = makeWindow(parent, "definitions", HelpWords::tr("Metric definitions"));
    auto* search = named<QLineEdit>("definitionSearch");
    search->setPlaceholderText(HelpWords::tr("Search names, definitions and sources"));
    search->setClearButtonEnabled(true);
    search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    auto* text = named<QTextBrowser>("definitionText");
    addAll(new QVBoxLayout(window), search, text);
    text->setOpenExternalLinks(true);
    const auto show = [text](const QString& wanted) {
        QString html;
        for (const GlossaryEntry& entry : glossary())
            if (matches(entry, wanted.trimmed()))
                html += htmlOf(entry);
        text->setHtml(html.isEmpty() ? HelpWords::tr("No matches.") : html + symbolsHtml());
    };
    QObject::connect(search, &QLineEdit::textChanged, text, show);
    show({});
    // A name under the mouse that shows its tooltip is what is meant.
    const QString key = QToolTip::isVisible() ? definitionKeyIn(QToolTip::text()) : QString();
    if (!key.isEmpty())
        QTimer::singleShot(0, text, [text, key] { text->scrollToAnchor(key); }); // it has its size then
    return window;
}

QDialog* makeShortcutsWindow(QWidget* parent) {
    QDialog* window = makeWindow(parent, "shortcuts", HelpWords::tr("Keyboard shortcuts"));
    QString html = QStringLiteral("<table cellpadding='4'>");
    std::vector<std::pair<QString, QString>> rows;
    for (const QAction* action : actionsInMenuOrder(parent)) {
        QStringList keys;
        for (const QKeySequence& shortcut : action->shortcuts())
            keys << shortcut.toString(QKeySequence::NativeText);
        if (!keys.isEmpty() && !action->text().isEmpty())
            rows.emplace_back(keys.join(HelpWords::tr(" or ")), placeOf(*action));
    }
    rows.insert(
        rows.end(),
        {{HelpWords::tr("Ctrl+K"), HelpWords::tr("Find a command, a model, a panel, or a sample by its id")},
         {HelpWords::tr("Arrows, Home, End, Page Up, Page Down"), HelpWords::tr("Walk through the ranking")},
         {HelpWords::tr("Enter, Escape in a note"), HelpWords::tr("Keep what was typed, or leave the note as it was")},
         {HelpWords::tr("Enter or double click"), HelpWords::tr("Inspect a sample")},
         {HelpWords::tr("Alt+Left, Alt+Right"), HelpWords::tr("Go back and forward through the inspected samples")},
         {HelpWords::tr("Ctrl+wheel"), HelpWords::tr("Size of the pictures in the gallery")},
         {HelpWords::tr("G, O in the ranking"),
          HelpWords::tr("Group by something else; show the nearest real sample under each synthetic one")},
         {HelpWords::tr("Up, Down at a group"), HelpWords::tr("Select the group")},
         {HelpWords::tr("Enter or Space at a group"), HelpWords::tr("Show all of the group, or fold it")},
         {HelpWords::tr("Left, Right"), HelpWords::tr("Choose another model in the chart of all models")},
         {HelpWords::tr("Left, Right, Up, Down"), HelpWords::tr("Walk along a curve and from one to another")},
         {HelpWords::tr("Page Up, Page Down"), HelpWords::tr("Step through the models' marks on a curve")},
         {HelpWords::tr("Space in a curve's legend"), HelpWords::tr("Draw a line, or leave it out")},
         {HelpWords::tr("Ctrl+C, Ctrl+F"), HelpWords::tr("Copy the table of all scores; search in it")},
         {HelpWords::tr("R, F"), HelpWords::tr("Reset the view of the space panel; centre the focused sample")},
         {HelpWords::tr("Click"), HelpWords::tr("Select a sample")},
         {HelpWords::tr("Shift+click"),
          HelpWords::tr("Add to the selection; in lists and histograms, all from the last click on")},
         {HelpWords::tr("Ctrl+click"), HelpWords::tr("Add to the selection, or remove from it")},
         {HelpWords::tr("Ctrl+Shift+click"), HelpWords::tr("Take out of the selection")},
         {HelpWords::tr("Drag"),
          HelpWords::tr("Select a range in a histogram; move the part of a chart that is shown")},
         {HelpWords::tr("Wheel, + and - in a chart"),
          HelpWords::tr("Show a smaller or larger part of it; over an axis only along that")},
         {HelpWords::tr("Ctrl+0 or double click in a chart"), HelpWords::tr("Show all of it again")},
         {HelpWords::tr("Ctrl+arrows in a chart"), HelpWords::tr("Move the part that is shown")},
         {HelpWords::tr("M, B, L"),
          HelpWords::tr("In the space panel: a drag moves the view, selects a rectangle, or what a lasso surrounds")},
         {HelpWords::tr("Ctrl+drag"),
          HelpWords::tr("Select a rectangle in the space panel while a drag moves the view")},
         {HelpWords::tr("Arrows, Space, Enter in the space panel's legend"),
          HelpWords::tr("Choose an entry, select its samples, show nothing else")}});
    for (const auto& [keys, text] : rows)
        html +=
            QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>").arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
    auto* text = new QTextBrowser;
    text->setHtml(html + QStringLiteral("</table>"));
    addAll(new QVBoxLayout(window), text);
    return window;
}

QDialog* makeAboutWindow(QWidget* parent) {
    auto* box = newDialog<QMessageBox>("about", parent);
    box->setWindowModality(Qt::NonModal);
    box->setWindowTitle(HelpWords::tr("About Assay"));
    box->setIconPixmap(icon(QStringLiteral("assay")).pixmap(QSize(48, 48), parent->devicePixelRatioF()));
    box->setText(QStringLiteral("<b>%1</b>").arg(HelpWords::tr("Assay %1").arg(QString::fromUtf8(kVersion))));
    box->setInformativeText(
        HelpWords::tr("Audits generative models, sample by sample.\n\nQt %1, VTK %2\nLicence of the source code: "
                      "Apache-2.0\n\nCharts are drawn by Qt Charts, which is under the GPL version 3 unless it was "
                      "bought from The Qt Company. Whoever passes on a program file that contains it passes it on "
                      "under the GPL version 3, with the source code.")
            .arg(QString::fromUtf8(qVersion()), vtkVersionText()));
    box->setStandardButtons(QMessageBox::Close);
    return box;
}

QDialog* makeHistoryWindow(QWidget* parent, AuditSession* session) {
    QDialog* window = makeWindow(parent, "history", HelpWords::tr("History of the audit"));
    window->resize(560, 480);
    auto* model = new HistoryModel(window);
    auto* where = named<QLabel>("historyPlace");
    where->setWordWrap(true);
    addAll(new QVBoxLayout(window), where, makeTable(model));
    const auto show = [model, where, session] {
        model->show(session->document()->history());
        where->setText(session->document()->auditFile().isEmpty()
                           ? HelpWords::tr("Kept with the audit once it is saved in a file.")
                           : HelpWords::tr("Kept in %1.").arg(session->document()->auditFile()));
    };
    QObject::connect(session->document(), &Document::historyChanged, window, show);
    QObject::connect(session, &AuditSession::opened, window, show);
    show();
    return window;
}

} // namespace assay
