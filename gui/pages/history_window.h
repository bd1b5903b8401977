#pragma once

class QDialog;
class QWidget;

namespace assay {

class AuditSession;

/// Log of the actions on the open audit, newest first, in local time. Follows the session. Deletes itself when closed.
/// @param session outlives the window
QDialog* makeHistoryWindow(QWidget* parent, AuditSession* session);

} // namespace assay
