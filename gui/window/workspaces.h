#pragma once

#include "gui/window/panel_catalog.h"

#include <QJsonObject>
#include <QObject>

#include <map>
#include <vector>

namespace assay {

class PanelDocks;

/// An arrangement of panels for one task.
struct Workspace {
    QString id;    ///< in settings and audit files; of a person's own, its name
    QString title; ///< for people, translated
    QString tip{};
    PanelPlaces places{}; ///< at first; the other panels are closed. Empty: where the catalogue has them
    bool own = false;     ///< saved by a person
};

/// Overview, Explore, Compare and Review.
std::vector<Workspace> builtInWorkspaces();

/// Object name of the action that shows a workspace.
QString workspaceAction(const QString& workspace);

/// The workspaces of a window: the built-in ones and those that a person has saved by name. Each remembers how its
/// panels were arranged last.
class Workspaces : public QObject {
    Q_OBJECT

public:
    /// @param docks outlives this
    Workspaces(PanelDocks* docks, QObject* parent);

    /// In the order of the menu: the built-in ones, then a person's own by name.
    const std::vector<Workspace>& all() const noexcept { return all_; }
    /// Id of the one that is shown.
    const QString& current() const noexcept { return current_; }

    /// Shows a workspace as it was left; nothing happens for an unknown id.
    void show(const QString& id);
    /// Arranges the panels of the current workspace as at first.
    void reset();
    /// Keeps the panels as they are arranged now under a name, and goes there. The name of a workspace of one's own
    /// replaces that one. @return false for an empty name and that of a built-in one: nothing happens
    bool saveAs(const QString& name);
    /// Forgets a workspace of one's own; from the current one the window goes to Overview.
    void remove(const QString& id);

    /// Every arrangement, for settings and audit files.
    QJsonObject saved() const;
    /// Shows the panels as they were saved; where nothing can be read, as at first.
    void restore(const QJsonObject& saved);

signals:
    /// Another workspace is shown, or there is one more or less.
    void changed();

private:
    const Workspace* find(const QString& id) const;
    void addOwn(const QString& name);
    void arrange();

    PanelDocks* docks_;
    std::vector<Workspace> all_;
    QString current_;
    std::map<QString, QByteArray> layouts_; ///< of all but the current one
};

} // namespace assay
