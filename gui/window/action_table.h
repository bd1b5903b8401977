#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

#include <functional>
#include <optional>

namespace assay {

/// The menus, in the order of the menu bar, and those that open out of them.
enum class MenuId { File, Edit, Select, Audit, View, Help, Recent, Export, Tags, Tagged, Workspaces, Theme };

/// Something that can be done in the window. Menus, tool bar, command box and the list of shortcuts are made from
/// these.
struct ActionRow {
    MenuId menu;
    QString id;   ///< the action's object name; tests and the tool bar know it by this
    QString text; ///< with the key that opens it in the menu: "&Open.."
    QString icon{};
    QList<QKeySequence> keys{};
    QString tip{};
    QString searchWords{};            ///< what else people look for it by
    std::function<void()> does{};     ///< empty for a menu
    std::function<bool()> enabled{};  ///< empty: always
    std::function<bool()> checked{};  ///< empty: it cannot be
    std::function<QString()> named{}; ///< its text where that changes; empty: `text` for good
    std::optional<MenuId> opens{};    ///< the row is that menu
    bool repeats = true;              ///< while its key is held down
    bool separated = false;           ///< by a line from the row before it
};

} // namespace assay
