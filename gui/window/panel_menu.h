#pragma once

#include <QString>

#include <functional>

class QMenu;
class QWidget;

namespace assay {

class AuditSession;
class LinkedView;

/// Requests of a panel's menu.
struct PanelMenuWishes {
    std::function<void()> inspect;
    /// Where to write a figure or its data; empty for nowhere.
    std::function<QString(const QString& suggested, const QString& filter)> figureFile;
    std::function<void(const QString& title, const QString& message)> failed;
};

/// The menu that the right mouse button opens on a panel: what can be done with the selected samples, and the panel's
/// figure. Samples under the pointer are selected first.
/// @param window whose actions it shows
QMenu* makePanelMenu(QWidget* window, AuditSession* session, LinkedView* view, const PanelMenuWishes& wishes);

} // namespace assay
