#pragma once

#include "engine/base/atomic_file.h"
#include "engine/report/parts/sample_picture.h"

#include <span>
#include <string>
#include <string_view>

namespace assay::report {

/// Writes the data of a page as script elements that no browser runs. Values are little-endian, as every platform of
/// the program stores them.
class PageFile {
public:
    explicit PageFile(const std::string& target) : file_(target) {}

    void write(std::string_view text) { file_.write(text); }
    /// A typed array, or a picture, as base64 text. @param type of the picture
    template <typename T>
    void array(const std::string& id, std::span<const T> values, const std::string& type = "") {
        file_.write("<script type=\"application/octet-stream\" id=\"" + id + "\" data-type=\"" + type + "\">");
        file_.write(base64(std::as_bytes(values)));
        file_.write("</script>\n");
    }
    /// @param text JSON; `<` is escaped, so that nothing in it ends the element, and texts become plainText()
    void json(const std::string& id, std::string_view text);
    void commit() { file_.commit(); }

private:
    AtomicFile file_;
};

} // namespace assay::report
