#include "gui/pages/help_browser.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <vector>

namespace assay {
namespace {

const QString kPanels = QStringLiteral("/help/panels/");
const QString kDocuments = QStringLiteral("/help/");

/// Pages in the order of the list: a panel's id, or a document's name.
struct Page {
    QString path;
    QString title;
};

Page panelPage(const char* id, const QString& title) {
    return {kPanels + QLatin1String(id) + QStringLiteral(".md"), title};
}

Page document(const char* name, const QString& title) {
    return {kDocuments + QLatin1String(name) + QStringLiteral(".md"), title};
}

std::vector<Page> allPages() {
    return {panelPage("start", HelpBrowser::tr("Using the window")),
            panelPage("models", HelpBrowser::tr("Models")),
            panelPage("findings", HelpBrowser::tr("Findings")),
            panelPage("rules", HelpBrowser::tr("Keep")),
            panelPage("overview", HelpBrowser::tr("Scatter")),
            panelPage("distribution", HelpBrowser::tr("Distribution")),
            panelPage("ranking", HelpBrowser::tr("Ranking")),
            panelPage("space", HelpBrowser::tr("Space")),
            panelPage("inspector", HelpBrowser::tr("Sample")),
            panelPage("scores", HelpBrowser::tr("Scores")),
            panelPage("curves", HelpBrowser::tr("Curves")),
            panelPage("compare", HelpBrowser::tr("Compare")),
            panelPage("runs", HelpBrowser::tr("Runs")),
            panelPage("pairs", HelpBrowser::tr("Pairs")),
            panelPage("holes", HelpBrowser::tr("Holes")),
            panelPage("useful", HelpBrowser::tr("Useful")),
            panelPage("private", HelpBrowser::tr("Private")),
            panelPage("features", HelpBrowser::tr("Features")),
            panelPage("diagnostics", HelpBrowser::tr("Diagnostics")),
            panelPage("classes", HelpBrowser::tr("Classes")),
            panelPage("agreement", HelpBrowser::tr("Agreement")),
            document("useful-private", HelpBrowser::tr("Useful and private")),
            document("verdicts", HelpBrowser::tr("How verdicts are reached")),
            document("glossary", HelpBrowser::tr("Glossary")),
            document("metrics", HelpBrowser::tr("Metrics")),
            document("formats", HelpBrowser::tr("Files")),
            document("rules", HelpBrowser::tr("Rules")),
            document("sample-scores", HelpBrowser::tr("Sample scores from elsewhere")),
            document("what_if", HelpBrowser::tr("Scores of kept samples")),
            document("curves", HelpBrowser::tr("All curves")),
            document("space", HelpBrowser::tr("Layouts in space")),
            document("report", HelpBrowser::tr("Reports")),
            document("output", HelpBrowser::tr("Output files")),
            document("audit-file", HelpBrowser::tr("Audit files"))};
}

QUrl urlOf(const QString& path) {
    return QUrl(QStringLiteral("qrc:") + path);
}

} // namespace

HelpBrowser::HelpBrowser(QWidget* parent) : QDialog(parent), pages_(new QListWidget), text_(new QTextBrowser) {
    setObjectName(QStringLiteral("help"));
    setWindowTitle(tr("Help"));
    resize(860, 640);
    pages_->setObjectName(QStringLiteral("helpPages"));
    pages_->setAccessibleName(tr("Pages"));
    for (const Page& page : allPages()) {
        auto* item = new QListWidgetItem(page.title, pages_);
        item->setData(Qt::UserRole, page.path);
    }
    text_->setObjectName(QStringLiteral("helpText"));
    text_->setAccessibleName(tr("Help page"));
    text_->setOpenLinks(false); // pages are opened here, the web outside
    auto* back = new QPushButton(tr("Back"));
    auto* forward = new QPushButton(tr("Forward"));
    auto* definitions = new QPushButton(tr("Metric definitions"));
    back->setShortcut(QKeySequence::Back);
    forward->setShortcut(QKeySequence::Forward);
    back->setEnabled(false);
    forward->setEnabled(false);
    for (QPushButton* button : {back, forward, definitions})
        button->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(back);
    buttons->addWidget(forward);
    buttons->addStretch(1);
    buttons->addWidget(definitions);
    auto* split = new QSplitter;
    split->addWidget(pages_);
    split->addWidget(text_);
    split->setStretchFactor(1, 1);
    split->setSizes({200, 660});
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(buttons);
    layout->addWidget(split, 1);
    connect(back, &QPushButton::clicked, text_, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, text_, &QTextBrowser::forward);
    connect(definitions, &QPushButton::clicked, this, &HelpBrowser::definitionsRequested);
    connect(text_, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(text_, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpBrowser::follow);
    connect(text_, &QTextBrowser::sourceChanged, this, &HelpBrowser::markPage);
    connect(pages_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr)
            text_->setSource(urlOf(item->data(Qt::UserRole).toString()));
    });
}

void HelpBrowser::showPanel(const QString& id) {
    const QString path = kPanels + id + QStringLiteral(".md");
    text_->setSource(urlOf(QFile::exists(QLatin1Char(':') + path) ? path : kPanels + QStringLiteral("start.md")));
}

void HelpBrowser::showDocument(const QString& name) {
    text_->setSource(urlOf(kDocuments + name + QStringLiteral(".md")));
}

QString HelpBrowser::pageTitle() const {
    return text_->document()->begin().text();
}

void HelpBrowser::follow(const QUrl& link) {
    const QUrl target = text_->source().resolved(link);
    if (target.scheme() != QLatin1String("qrc")) {
        QDesktopServices::openUrl(target);
        return;
    }
    if (QFile::exists(QLatin1Char(':') + target.path()))
        text_->setSource(target);
}

void HelpBrowser::markPage(const QUrl& page) {
    const QSignalBlocker quiet(pages_); // the text shows the page already
    for (int row = 0; row < pages_->count(); ++row)
        if (pages_->item(row)->data(Qt::UserRole).toString() == page.path()) {
            pages_->setCurrentRow(row);
            return;
        }
    pages_->setCurrentRow(-1);
}

} // namespace assay
