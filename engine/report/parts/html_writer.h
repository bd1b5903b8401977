#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// Text of unknown origin as a single line of well-formed UTF-8: bytes that are not UTF-8 are read as Latin-1, line
/// ends become blanks, and what HTML forbids or what turns the direction of the text around becomes U+FFFD.
std::string plainText(std::string_view bytes);

/// plainText with the characters that mean something in HTML as references: for content and quoted attributes.
std::string escapedHtml(std::string_view bytes);

/// A length in SVG's units, with at most one decimal, whatever the locale: "12", "12.5".
std::string svgNumber(double value);

struct Attribute {
    std::string_view name;
    std::string value; ///< not escaped yet
};

/// Writes HTML that is well-formed XML too. Only raw() takes markup: everything else is escaped, so that no name in a
/// file can become markup.
class HtmlWriter {
public:
    using Attributes = std::initializer_list<Attribute>;

    void open(std::string_view tag, Attributes attributes = {});
    /// Closes the innermost open element.
    void close();
    /// An element that holds text alone; in running text (p, figcaption) numbers and their percent signs stay together.
    void leaf(std::string_view tag, std::string_view text, Attributes attributes = {});
    /// An HTML element that has no end tag, such as img.
    void empty(std::string_view tag, Attributes attributes = {});
    /// An SVG element without content, such as rect.
    void shape(std::string_view tag, Attributes attributes = {});
    void text(std::string_view text) { html_ += escapedHtml(text); }
    void raw(std::string_view markup) { html_ += markup; }

    const std::string& html() const noexcept { return html_; }

private:
    void begin(std::string_view tag, Attributes attributes);

    std::string html_;
    std::vector<std::string> open_;
};

} // namespace assay::report
