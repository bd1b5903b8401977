#pragma once

#include "gui/desktop/theme.h"
#include "gui/jobs/audit_files.h"
#include "widgets/charts/figure.h"

#include <QByteArray>
#include <QJsonObject>
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
    /// Workspaces and how their panels are arranged (gui/window/workspaces.h); empty when none were saved.
    QJsonObject workspaces() const;
    void setWorkspaces(const QJsonObject& workspaces);

    /// Whether saved figures have a footnote; shown at first.
    FigureCaption figureCaption() const;
    void setFigureCaption(FigureCaption caption);

    /// What a person is used to in panels: parts of Panel::saveState(), by the panel's id.
    QJsonObject panelHabits() const;
    void setPanelHabits(const QJsonObject& habits);

    /// Where the last file was opened or saved; the home folder at first.
    QString lastFolder() const;
    void setLastFolder(const QString& folder);

    /// The array that was last chosen from a file of several; empty at first.
    QString lastArray() const;
    void setLastArray(const QString& key);

    /// The Python that runs assay-embed and converts files; empty at first.
    QString embedPython() const;
    void setEmbedPython(const QString& executable);

private:
    void writeRecentAudits(const QList<AuditFiles>& audits);

    QSettings store_{QStringLiteral("Assay"), QStringLiteral("Assay")};
};

} // namespace assay
