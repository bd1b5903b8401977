// Actions that arrange the panels for one task.
#include "gui/commands/commands.h"
#include "gui/window/window_actions.h"
#include "gui/window/workspaces.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace assay {

QString workspaceAction(const QString& workspace) {
    return QStringLiteral("actionWorkspace_%1").arg(workspace);
}

void WindowActions::appendWorkspaceRows(std::vector<ActionRow>& rows) {
    Workspaces* all = workspaces_;
    const auto hasModel = [this] { return session_->state().hasModel(); };
    int number = 0;
    for (const Workspace& one : all->all())
        if (!one.own)
            rows.push_back({.menu = MenuId::Workspaces,
                            .id = workspaceAction(one.id),
                            .text = one.title,
                            .keys = {QKeySequence(QStringLiteral("Ctrl+%1").arg(++number))},
                            .tip = one.tip,
                            .searchWords = tr("workspace layout"),
                            .does = [all, id = one.id] { all->show(id); },
                            .enabled = hasModel,
                            .checked = [all, id = one.id] { return all->current() == id; }});
    rows.push_back(
        {.menu = MenuId::Workspaces,
         .id = QStringLiteral("actionSaveWorkspace"),
         .text = tr("&Save workspace as\u2026"),
         .tip = tr("Save how the panels are arranged now under a name"),
         .does = [commands = commands_,
                  all] { commands->nameWorkspace([all](const QString& name) { return all->saveAs(name); }); },
         .enabled = hasModel,
         .separated = true});
    const auto isOwn = [all] {
        const auto at = std::ranges::find(all->all(), all->current(), &Workspace::id);
        return at != all->all().end() && at->own;
    };
    rows.push_back({.menu = MenuId::Workspaces,
                    .id = QStringLiteral("actionRemoveWorkspace"),
                    .text = tr("&Delete this workspace"),
                    .tip = tr("Forget the saved workspace that is shown"),
                    .does = [all] { all->remove(all->current()); },
                    .enabled = isOwn});
}

void WindowActions::listWorkspaces() {
    for (QAction* action : ownWorkspaces_)
        delete action;
    ownWorkspaces_.clear();
    QMenu* menu = menus_.at(MenuId::Workspaces);
    QAction* before = action(QStringLiteral("actionSaveWorkspace"));
    for (const Workspace& one : workspaces_->all()) {
        if (!one.own)
            continue;
        QString text = one.title;
        auto* own = new QAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), menu);
        own->setObjectName(workspaceAction(one.id));
        own->setCheckable(true);
        own->setChecked(workspaces_->current() == one.id);
        connect(
            own, &QAction::triggered, workspaces_, [all = workspaces_, id = one.id] { all->show(id); },
            Qt::QueuedConnection); // the list is made anew meanwhile
        menu->insertAction(before, own);
        ownWorkspaces_.push_back(own);
    }
    refresh();
}

} // namespace assay
