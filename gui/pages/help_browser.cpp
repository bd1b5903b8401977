#include "gui/pages/help_browser.h"

#include "engine/report/glossary/glossary.h"
#include "widgets/common/controls.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace assay {
namespace {

const QString kPanels = QStringLiteral("/help/panels/");
const QString kDocuments = QStringLiteral("/help/");
const QString kGlossary = QStringLiteral("/help/glossary.md"); // no file: it is made of the catalogues

struct Page {
    QString path;
    QString title;
};

QString pathOf(const QString& folder, const QString& name) {
    return folder + name + QStringLiteral(".md");
}

std::vector<Page> allPages(const QList<HelpedPanel>& panels) {
    std::vector<Page> pages{{pathOf(kPanels, "start"), HelpBrowser::tr("Using the window")}};
    for (const HelpedPanel& panel : panels)
        pages.push_back({pathOf(kPanels, panel.id), panel.title});
    for (const auto& [name, title] : {std::pair("useful-private", HelpBrowser::tr("Useful and private")),
                                      {"verdicts", HelpBrowser::tr("How verdicts are reached")},
                                      {"glossary", HelpBrowser::tr("Glossary")},
                                      {"metrics", HelpBrowser::tr("Metrics")},
                                      {"formats", HelpBrowser::tr("Files")},
                                      {"rules", HelpBrowser::tr("Rules")},
                                      {"sample-scores", HelpBrowser::tr("Sample scores from elsewhere")},
                                      {"what_if", HelpBrowser::tr("Scores of kept samples")},
                                      {"curves", HelpBrowser::tr("All curves")},
                                      {"space", HelpBrowser::tr("Layouts in space")},
                                      {"report", HelpBrowser::tr("Reports")},
                                      {"output", HelpBrowser::tr("Output files")},
                                      {"audit-file", HelpBrowser::tr("Audit files")}})
        pages.push_back({pathOf(kDocuments, name), title});
    return pages;
}

/// The text of a page, as it is written.
QString textOf(const QString& path) {
    if (path == kGlossary)
        return QString::fromStdString(glossaryPage());
    QFile file(QLatin1Char(':') + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QUrl urlOf(const QString& path) {
    return QUrl(QStringLiteral("qrc:") + path);
}

/// Shows the manual's pages.
class PageView : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;
    QVariant loadResource(int type, const QUrl& url) override {
        return url.path() == kGlossary ? QVariant(textOf(kGlossary)) : QTextBrowser::loadResource(type, url);
    }
};

} // namespace

HelpBrowser::HelpBrowser(const QList<HelpedPanel>& panels, QWidget* parent)
    : QDialog(parent), search_(named<QLineEdit>("helpSearch")), pages_(named<QListWidget>("helpPages")),
      text_(named<PageView>("helpText")) {
    setObjectName(QStringLiteral("help"));
    setWindowTitle(tr("Help"));
    resize(860, 640);
    search_->setPlaceholderText(tr("Search the manual"));
    search_->setAccessibleName(tr("Search the manual"));
    search_->setClearButtonEnabled(true);
    pages_->setAccessibleName(tr("Pages"));
    for (const Page& page : allPages(panels))
        (new QListWidgetItem(page.title, pages_))->setData(Qt::UserRole, page.path);
    text_->setAccessibleName(tr("Help page"));
    text_->setOpenLinks(false); // pages are opened here, the web outside
    auto* back = new QPushButton(tr("Back"));
    auto* forward = new QPushButton(tr("Forward"));
    auto* definitions = new QPushButton(tr("Metric definitions"));
    back->setShortcut(QKeySequence::Back);
    forward->setShortcut(QKeySequence::Forward);
    for (QPushButton* button : {back, forward, definitions}) {
        button->setEnabled(button == definitions);
        button->setAutoDefault(false);
    }
    auto* split = new QSplitter;
    auto* side = new QWidget;
    addAll(newLayout<QVBoxLayout>(side), search_, pages_);
    split->addWidget(side);
    split->addWidget(text_);
    split->setStretchFactor(1, 1);
    split->setSizes({200, 660});
    addAll(new QVBoxLayout(this), addAll(new QHBoxLayout, back, forward, Stretch{}, definitions), Wide{split});
    connect(back, &QPushButton::clicked, text_, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, text_, &QTextBrowser::forward);
    connect(definitions, &QPushButton::clicked, this, &HelpBrowser::definitionsRequested);
    connect(text_, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(text_, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpBrowser::follow);
    connect(text_, &QTextBrowser::sourceChanged, this, &HelpBrowser::markPage);
    connect(search_, &QLineEdit::textChanged, this, &HelpBrowser::search);
    connect(search_, &QLineEdit::returnPressed, this, &HelpBrowser::openFirst);
    connect(pages_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr)
            text_->setSource(urlOf(item->data(Qt::UserRole).toString()));
    });
}

void HelpBrowser::showPanel(const QString& id) {
    const QString path = pathOf(kPanels, id);
    text_->setSource(urlOf(QFile::exists(QLatin1Char(':') + path) ? path : pathOf(kPanels, "start")));
}

void HelpBrowser::showDocument(const QString& name) {
    text_->setSource(urlOf(pathOf(kDocuments, name)));
}

QString HelpBrowser::pageTitle() const {
    return text_->document()->begin().text();
}

void HelpBrowser::search(const QString& words) {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int row = 0; row < pages_->count(); ++row) {
        QListWidgetItem* page = pages_->item(row);
        const QString text = page->text() + textOf(page->data(Qt::UserRole).toString());
        page->setHidden(!std::ranges::all_of(
            wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }));
    }
}

void HelpBrowser::openFirst() {
    for (int row = 0; row < pages_->count(); ++row)
        if (!pages_->item(row)->isHidden()) {
            pages_->setCurrentRow(row);
            text_->find(search_->text().trimmed().section(QLatin1Char(' '), 0, 0));
            return;
        }
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
