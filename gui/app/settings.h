#pragma once

#include "gui/app/theme.h"
#include "gui/session/audit_files.h"
#include "widgets/charts/figure.h"

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>

namespace assay {

/// Everything that outlives the program, in one place. Reads and writes QSettings "Assay"/"Assay".
class Settings {
public:
    /// Most recent first, at most ten.
    QList<AuditFiles> recentAudits() const;
    /// Moves or adds an audit to the front.
    void addRecentAudit(const AuditFiles& files);
    void removeRecentAudit(const AuditFiles& files);
    void clearRecentAudits();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    /// The panels' layout; empty when none was saved or its panels are those of another version.
    QByteArray layout() const;
    void setLayout(const QByteArray& layout);

    /// Whether saved figures have a footnote; shown at first.
    FigureCaption figureCaption() const;
    void setFigureCaption(FigureCaption caption);

    /// Whether the ranking shows the nearest sample of the other set under each picture; not at first.
    bool showsNearest() const;
    void setShowsNearest(bool shown);

    /// Where the last file was opened or saved; the home folder at first.
    QString lastFolder() const;
    void setLastFolder(const QString& folder);

    /// The array that was last chosen from a file of several; empty at first.
    QString lastArray() const;
    void setLastArray(const QString& key);

    /// The Python that runs assay-embed; empty at first.
    QString embedPython() const;
    void setEmbedPython(const QString& executable);

private:
    void writeRecentAudits(const QList<AuditFiles>& audits);

    QSettings store_{QStringLiteral("Assay"), QStringLiteral("Assay")};
};

} // namespace assay
