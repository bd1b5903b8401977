#pragma once

#include "gui/desktop/theme.h"
#include "gui/jobs/audit_files.h"
#include "widgets/charts/figure.h"

#include <QByteArray>
#include <QDir>
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

    QByteArray geometry() const { return store_.value(QStringLiteral("window/geometry")).toByteArray(); }
    void setGeometry(const QByteArray& value) { store_.setValue(QStringLiteral("window/geometry"), value); }
    /// Workspaces and how their panels are arranged (gui/window/workspaces.h); empty when none were saved.
    QJsonObject workspaces() const { return object(kWorkspaces); }
    void setWorkspaces(const QJsonObject& workspaces) { setObject(kWorkspaces, workspaces); }

    /// Whether saved figures have a footnote; shown at first.
    FigureCaption figureCaption() const {
        return store_.value(kCaption, true).toBool() ? FigureCaption::Shown : FigureCaption::Hidden;
    }
    void setFigureCaption(FigureCaption caption) { store_.setValue(kCaption, caption == FigureCaption::Shown); }

    /// What a person is used to in panels: parts of Panel::saveState(), by the panel's id.
    QJsonObject panelHabits() const { return object(kHabits); }
    void setPanelHabits(const QJsonObject& habits) { setObject(kHabits, habits); }

    /// Where the last file was opened or saved; the home folder at first.
    QString lastFolder() const { return store_.value(QStringLiteral("lastFolder"), QDir::homePath()).toString(); }
    void setLastFolder(const QString& value) { store_.setValue(QStringLiteral("lastFolder"), value); }

    /// The array that was last chosen from a file of several; empty at first.
    QString lastArray() const { return store_.value(QStringLiteral("lastArray")).toString(); }
    void setLastArray(const QString& value) { store_.setValue(QStringLiteral("lastArray"), value); }

    /// The Python that runs assay-embed and converts files; empty at first.
    QString embedPython() const { return store_.value(QStringLiteral("embedPython")).toString(); }
    void setEmbedPython(const QString& value) { store_.setValue(QStringLiteral("embedPython"), value); }

private:
    static constexpr auto kCaption = "figureCaption";
    static constexpr auto kWorkspaces = "window/workspaces";
    static constexpr auto kHabits = "panelHabits";

    QJsonObject object(const QString& key) const;
    void setObject(const QString& key, const QJsonObject& object);
    void writeRecentAudits(const QList<AuditFiles>& audits);

    QSettings store_{QStringLiteral("Assay"), QStringLiteral("Assay")};
};

} // namespace assay
