#include "gui/pages/help_windows.h"

#include "gui/desktop/icons.h"
#include "gui/desktop/menu_actions.h"
#include "widgets/common/library_versions.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/version.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>
#include <vector>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct HelpWords {
    Q_DECLARE_TR_FUNCTIONS(assay::Help)
};

QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

struct Definition {
    QString title, id, kind, text, source;

    bool matches(const QString& wanted) const {
        return (title + QLatin1Char(' ') + id + QLatin1Char(' ') + text + QLatin1Char(' ') + source)
            .contains(wanted, Qt::CaseInsensitive);
    }
    QString html() const {
        return QStringLiteral("<h3>%1</h3><p>%2</p><p><i>%3</i></p>")
            .arg(title.toHtmlEscaped(), text.toHtmlEscaped(),
                 HelpWords::tr("%1, in files: %2. Source: %3.").arg(kind, id, source).toHtmlEscaped());
    }
};

std::vector<Definition> allDefinitions() {
    std::vector<Definition> all;
    for (const Metric& metric : metricCatalog())
        all.push_back({toText(metric.title), toText(metric.id), HelpWords::tr("Of a whole set"),
                       toText(metric.definition), toText(metric.source)});
    for (const Column& column : columnCatalog())
        all.push_back({toText(column.title), toText(column.id),
                       column.side == Side::Real ? HelpWords::tr("Of each real sample")
                                                 : HelpWords::tr("Of each synthetic sample"),
                       toText(column.definition), toText(column.source)});
    return all;
}

QDialog* makeWindow(QWidget* parent, const QString& name, const QString& title) {
    auto* window = new QDialog(parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setObjectName(name);
    window->setWindowTitle(title);
    window->resize(560, 600);
    new QVBoxLayout(window);
    return window;
}

} // namespace

QDialog* makeDefinitionsWindow(QWidget* parent) {
    QDialog* window = makeWindow(parent, QStringLiteral("definitions"), HelpWords::tr("Metric definitions"));
    auto* search = new QLineEdit;
    search->setObjectName(QStringLiteral("definitionSearch"));
    search->setPlaceholderText(HelpWords::tr("Search names, definitions and sources"));
    search->setClearButtonEnabled(true);
    search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    auto* text = new QTextBrowser;
    text->setObjectName(QStringLiteral("definitionText"));
    window->layout()->addWidget(search);
    window->layout()->addWidget(text);
    const auto show = [text, all = allDefinitions()](const QString& wanted) {
        QString html;
        for (const Definition& definition : all)
            if (definition.matches(wanted.trimmed()))
                html += definition.html();
        text->setHtml(html.isEmpty() ? HelpWords::tr("No matches.") : html);
    };
    QObject::connect(search, &QLineEdit::textChanged, text, show);
    show({});
    return window;
}

QDialog* makeShortcutsWindow(QWidget* parent) {
    QDialog* window = makeWindow(parent, QStringLiteral("shortcuts"), HelpWords::tr("Keyboard shortcuts"));
    QString html = QStringLiteral("<table cellpadding='4'>");
    const auto addRow = [&](const QString& keys, const QString& text) {
        html +=
            QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>").arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
    };
    for (const QAction* action : actionsInMenuOrder(parent)) {
        QStringList keys;
        for (const QKeySequence& shortcut : action->shortcuts())
            keys << shortcut.toString(QKeySequence::NativeText);
        if (!keys.isEmpty() && !action->text().isEmpty())
            addRow(keys.join(HelpWords::tr(" or ")), placeOf(*action));
    }
    addRow(HelpWords::tr("Ctrl+K"), HelpWords::tr("Find a command, a model, a panel, or a sample by its id"));
    addRow(HelpWords::tr("Arrows, Home, End, Page Up, Page Down"), HelpWords::tr("Walk through the ranking"));
    addRow(HelpWords::tr("Enter, Escape in a note"), HelpWords::tr("Keep what was typed, or leave the note as it was"));
    addRow(HelpWords::tr("Enter or double click"), HelpWords::tr("Inspect a sample"));
    addRow(HelpWords::tr("Alt+Left, Alt+Right"), HelpWords::tr("Go back and forward through the inspected samples"));
    addRow(HelpWords::tr("Ctrl+wheel"), HelpWords::tr("Size of the pictures in the gallery"));
    addRow(HelpWords::tr("G, O in the ranking"),
           HelpWords::tr("Group by something else; show the nearest real sample under each synthetic one"));
    addRow(HelpWords::tr("Up, Down, Enter at a group"), HelpWords::tr("Select the group; show all of it, or fold it"));
    addRow(HelpWords::tr("Left, Right"), HelpWords::tr("Choose another model in the chart of all models"));
    addRow(HelpWords::tr("Left, Right, Up, Down"), HelpWords::tr("Walk along a curve and from one to another"));
    addRow(HelpWords::tr("Page Up, Page Down"), HelpWords::tr("Step through the models' marks on a curve"));
    addRow(HelpWords::tr("Space in a curve's legend"), HelpWords::tr("Draw a line, or leave it out"));
    addRow(HelpWords::tr("Ctrl+C, Ctrl+F"), HelpWords::tr("Copy the table of all scores; search in it"));
    addRow(HelpWords::tr("R, F"), HelpWords::tr("Reset the view of the space panel; centre the focused sample"));
    addRow(HelpWords::tr("Click"), HelpWords::tr("Select a sample"));
    addRow(HelpWords::tr("Shift+click"),
           HelpWords::tr("Add to the selection; in lists and histograms, all from the last click on"));
    addRow(HelpWords::tr("Ctrl+click"), HelpWords::tr("Add to the selection, or remove from it"));
    addRow(HelpWords::tr("Ctrl+Shift+click"), HelpWords::tr("Take out of the selection"));
    addRow(HelpWords::tr("Drag"),
           HelpWords::tr("Select a range in a histogram; move the part of a chart that is shown"));
    addRow(HelpWords::tr("Wheel, + and - in a chart"),
           HelpWords::tr("Show a smaller or larger part of it; over an axis only along that"));
    addRow(HelpWords::tr("Ctrl+0 or double click in a chart"), HelpWords::tr("Show all of it again"));
    addRow(HelpWords::tr("Ctrl+arrows in a chart"), HelpWords::tr("Move the part that is shown"));
    addRow(HelpWords::tr("Ctrl+drag"),
           HelpWords::tr("Select a rectangle in the space panel; with Alt add it, with Shift take it out"));
    auto* text = new QTextBrowser;
    text->setHtml(html + QStringLiteral("</table>"));
    window->layout()->addWidget(text);
    return window;
}

QDialog* makeAboutWindow(QWidget* parent) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("about"));
    box->setWindowModality(Qt::NonModal);
    box->setWindowTitle(HelpWords::tr("About Assay"));
    box->setIconPixmap(icon(QStringLiteral("assay")).pixmap(QSize(48, 48), parent->devicePixelRatioF()));
    box->setText(QStringLiteral("<b>%1</b>").arg(HelpWords::tr("Assay %1").arg(QString::fromUtf8(kVersion))));
    box->setInformativeText(
        HelpWords::tr("Audits generative models, sample by sample.\n\nQt %1, VTK %2\nLicence: Apache-2.0")
            .arg(QString::fromUtf8(qVersion()), vtkVersionText()));
    box->setStandardButtons(QMessageBox::Close);
    return box;
}

} // namespace assay
