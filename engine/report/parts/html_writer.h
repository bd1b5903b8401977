#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::report {

/// Text of unknown origin as one line of well-formed UTF-8: bytes that are not UTF-8 become `\xff`, line ends
/// become blanks, and characters that HTML forbids or that change the text direction become U+FFFD.
std::string plainText(std::string_view bytes);

/// plainText() with HTML's special characters replaced by references; for element content and quoted attributes.
std::string escapedHtml(std::string_view bytes);

/// A length in SVG units with at most one decimal, independent of the locale: "12", "12.5".
std::string svgNumber(double value);

struct Attribute {
    std::string_view name;
    std::string value; ///< unescaped

    Attribute(std::string_view of, std::string text) : name(of), value(std::move(text)) {}
    Attribute(std::string_view of, double length) : name(of), value(svgNumber(length)) {}
};

/// Writes HTML that is also well-formed XML. Only raw() accepts markup; all other functions escape their text, so a
/// name from a file cannot become markup.
class HtmlWriter {
public:
    using Attributes = std::initializer_list<Attribute>;

    /// Opens an element.
    void open(std::string_view tag, Attributes attributes = {});
    /// Closes the innermost open element.
    void close();
    /// Writes an element that contains only text. In running text (p, figcaption), numbers stay on one line with their
    /// percent signs.
    void leaf(std::string_view tag, std::string_view text, Attributes attributes = {});
    /// Writes an element without content, such as img or rect.
    void empty(std::string_view tag, Attributes attributes = {});
    void text(std::string_view text) { html_ += escapedHtml(text); }
    void raw(std::string_view markup) { html_ += markup; }

    /// Writes a figure: what `draw` writes, and its caption.
    template <typename Draw>
    void figure(std::string_view caption, const Draw& draw) {
        open("figure");
        draw();
        leaf("figcaption", caption);
        close();
    }

    const std::string& html() const noexcept { return html_; }

private:
    void begin(std::string_view tag, Attributes attributes);

    std::string html_;
    std::vector<std::string> open_;
};

/// An element that stays open until the end of the scope.
class HtmlElement {
public:
    HtmlElement(HtmlWriter& html, std::string_view tag, HtmlWriter::Attributes attributes = {}) : html_(html) {
        html_.open(tag, attributes);
    }
    ~HtmlElement() { html_.close(); }
    HtmlElement(const HtmlElement&) = delete;
    HtmlElement& operator=(const HtmlElement&) = delete;

private:
    HtmlWriter& html_;
};

/// Heading and alignment of a column. Numbers are aligned to the right, so that digits line up.
struct TableColumn {
    enum class Align { Left, Right };

    std::string title;
    Align align = Align::Left;
};
inline constexpr auto kRight = TableColumn::Align::Right;

/// Contents of a cell: a value, and a note in small print below it.
struct TableCell {
    std::string text;
    std::string below = {};
};

/// Writes a table with one heading row; the first cell of each row is that row's heading. A table wider than the page
/// scrolls on its own, also by keyboard.
/// @param caption must differ from other tables' captions, because screen readers list them
void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows);

} // namespace assay::report
