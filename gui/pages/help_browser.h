#pragma once

#include <QDialog>
#include <QList>
#include <QString>

class QLineEdit;
class QListWidget;
class QTextBrowser;
class QUrl;

namespace assay {

/// A panel of the window, which has a page of the manual.
struct HelpedPanel {
    QString id;
    QString title; ///< translated
};

/// The manual inside the window: a page for each panel, and the documents that these lead to, out of the program's
/// resources; a search leaves those that contain what is typed. Not modal.
class HelpBrowser : public QDialog {
    Q_OBJECT

public:
    /// @param panels whose pages are listed, in this order
    HelpBrowser(const QList<HelpedPanel>& panels, QWidget* parent);

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
    /// Lists the pages that contain every word.
    void search(const QString& words);
    /// Opens the first page of the list, at the first word that is searched for.
    void openFirst();

    QLineEdit* search_;
    QListWidget* pages_;
    QTextBrowser* text_;
};

} // namespace assay
