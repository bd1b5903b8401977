#include "gui/pages/help_windows.h"

#include "gui/app/icons.h"
#include "gui/window/menu_actions.h"
#include "widgets/common/library_versions.h"

#include "engine/metrics/catalog.h"
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

QString tr(const char* text) {
    return QCoreApplication::translate("assay::Help", text);
}

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
                 tr("%1, in files: %2. Source: %3.").arg(kind, id, source).toHtmlEscaped());
    }
};

std::vector<Definition> allDefinitions() {
    std::vector<Definition> all;
    for (const Metric& metric : metricCatalog())
        all.push_back({toText(metric.title), toText(metric.id), tr("Of a whole set"), toText(metric.definition),
                       toText(metric.source)});
    for (const Column& column : columnCatalog())
        all.push_back({toText(column.title), toText(column.id),
                       column.side == Side::Real ? tr("Of each real sample") : tr("Of each synthetic sample"),
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
    QDialog* window = makeWindow(parent, QStringLiteral("definitions"), tr("Metric definitions"));
    auto* search = new QLineEdit;
    search->setObjectName(QStringLiteral("definitionSearch"));
    search->setPlaceholderText(tr("Search names, definitions and sources"));
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
        text->setHtml(html.isEmpty() ? tr("Nothing is called that.") : html);
    };
    QObject::connect(search, &QLineEdit::textChanged, text, show);
    show({});
    return window;
}

QDialog* makeShortcutsWindow(QWidget* parent) {
    QDialog* window = makeWindow(parent, QStringLiteral("shortcuts"), tr("Keyboard shortcuts"));
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
            addRow(keys.join(tr(" or ")), placeOf(*action));
    }
    addRow(tr("Ctrl+K"), tr("Find a command, a model, a panel, or a sample by its id"));
    addRow(tr("Arrows, Home, End, Page Up, Page Down"), tr("Walk through the ranking"));
    addRow(tr("Enter or double click"), tr("Inspect a sample"));
    addRow(tr("Alt+Left, Alt+Right"), tr("Go back and forward through the inspected samples"));
    addRow(tr("Ctrl+wheel"), tr("Size of the pictures in the gallery"));
    addRow(tr("Left, Right"), tr("Choose another model in the chart of all models"));
    addRow(tr("Left, Right, Up, Down"), tr("Walk along a curve and from one to another"));
    addRow(tr("Page Up, Page Down"), tr("Step through the models' marks on a curve"));
    addRow(tr("Space in a curve's legend"), tr("Draw a line, or leave it out"));
    addRow(tr("Ctrl+C, Ctrl+F"), tr("Copy the table of all scores; search in it"));
    addRow(tr("R, F"), tr("Reset the view of the space panel; centre the focused sample"));
    addRow(tr("Click"), tr("Select a sample"));
    addRow(tr("Shift+click"), tr("Add to the selection; in lists and histograms, all from the last click on"));
    addRow(tr("Ctrl+click"), tr("Add to the selection, or take out what is selected"));
    addRow(tr("Ctrl+Shift+click"), tr("Take out of the selection"));
    addRow(tr("Drag"), tr("Select a range in a chart"));
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
    box->setWindowTitle(tr("About Assay"));
    box->setIconPixmap(icon(QStringLiteral("assay")).pixmap(QSize(48, 48), parent->devicePixelRatioF()));
    box->setText(QStringLiteral("<b>%1</b>").arg(tr("Assay %1").arg(QString::fromUtf8(kVersion))));
    box->setInformativeText(tr("Audits generative models, sample by sample.\n\nQt %1, VTK %2\nLicence: Apache-2.0")
                                .arg(QString::fromUtf8(qVersion()), vtkVersionText()));
    box->setStandardButtons(QMessageBox::Close);
    return box;
}

} // namespace assay
