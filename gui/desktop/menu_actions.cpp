#include "gui/desktop/menu_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

namespace assay {
namespace {

constexpr const char* kSearchWords = "searchWords"; // properties
constexpr const char* kWhenFound = "whenFound";

void appendActions(const QList<QAction*>& from, QList<QAction*>& to) {
    for (QAction* action : from) {
        if (action->menu())
            appendActions(action->menu()->actions(), to);
        else
            to << action;
    }
}

} // namespace

QList<QAction*> actionsInMenuOrder(const QWidget* window) {
    QList<QAction*> actions;
    if (const auto* bar = window->findChild<QMenuBar*>())
        appendActions(bar->actions(), actions);
    return actions;
}

QString placeOf(const QAction& action) {
    QString text = action.text();
    for (const QObject* object : action.associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(object))
            text = QCoreApplication::translate("assay::Help", "%1: %2").arg(menu->title(), action.text());
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("\u2026"));
}

QString searchWordsOf(const QAction& action) {
    return action.property(kSearchWords).toString();
}

void setSearchWords(QAction& action, const QString& words) {
    action.setProperty(kSearchWords, words);
}

QAction* whenFound(QAction& action) {
    auto* instead = action.property(kWhenFound).value<QAction*>();
    return instead != nullptr ? instead : &action;
}

void setWhenFound(QAction& action, QAction* instead) {
    action.setProperty(kWhenFound, QVariant::fromValue(instead));
}

} // namespace assay
