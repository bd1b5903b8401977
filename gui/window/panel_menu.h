#pragma once

class QMenu;

namespace assay {

class AuditSession;
class Commands;
class Panel;
class PanelDocks;
class WindowActions;

/// What the menu of a panel acts on; all outlive it.
struct PanelMenuParts {
    AuditSession* session;
    Commands* commands;
    PanelDocks* docks;
    const WindowActions* actions;
};

/// The menu that the right mouse button opens on a panel: what can be done with the selected samples, and the panel's
/// figure. Samples under the pointer are selected first.
QMenu* makePanelMenu(const PanelMenuParts& parts, Panel* view);

} // namespace assay
