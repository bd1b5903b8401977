#pragma once

class QDialog;
class QWidget;

namespace assay {

class AuditSession;

/// A searchable window with the definition of every metric and column of the catalogue. Not modal; deletes itself.
QDialog* makeDefinitionsWindow(QWidget* parent);

/// Every shortcut of `window`'s actions, and what the mouse does. Not modal; deletes itself.
QDialog* makeShortcutsWindow(QWidget* window);

/// Versions and licence. Not modal; deletes itself.
QDialog* makeAboutWindow(QWidget* parent);

/// Log of the actions on the open audit, newest first, in local time. Follows the session. Deletes itself when closed.
/// @param session outlives the window
QDialog* makeHistoryWindow(QWidget* parent, AuditSession* session);

} // namespace assay
