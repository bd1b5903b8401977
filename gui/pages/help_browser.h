#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace assay {

/// The manual inside the window: a page for each panel, and the documents that these lead to, out of the program's
/// resources. Not modal.
class HelpBrowser : public QDialog {
    Q_OBJECT

public:
    explicit HelpBrowser(QWidget* parent);

    /// Opens the page of a panel, by its id; the first page for one without a page of its own.
    void showPanel(const QString& id);
    /// Opens a document by its name ("formats").
    void showDocument(const QString& name);
    /// Title of the page that is shown: its first heading.
    QString pageTitle() const;

signals:
    /// A page leads to the definitions of all metrics.
    void definitionsRequested();

private:
    void follow(const QUrl& link);
    void markPage(const QUrl& page);

    QListWidget* pages_;
    QTextBrowser* text_;
};

} // namespace assay
