#pragma once

#include <QList>
#include <QString>

class QAction;
class QWidget;

namespace assay {

/// The actions of the window's menu bar from left to right and top to bottom, without submenus themselves.
QList<QAction*> actionsInMenuOrder(const QWidget* window);

/// Name of an action outside its menu: "Select: Clear".
QString placeOf(const QAction& action);

/// Further search words for an action; empty for most.
QString searchWordsOf(const QAction& action);
void setSearchWords(QAction& action, const QString& words);

/// Action that the command box triggers instead of this one; the action itself unless another was set. A panel
/// that is searched for is shown, whatever its entry in the menu would do.
QAction* whenFound(QAction& action);
void setWhenFound(QAction& action, QAction* instead);

} // namespace assay
