#include "engine/io/tensors/pickle_reader.h"

#include "engine/base/find_by.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"

#include <optional>

namespace assay {
namespace {

constexpr std::size_t kMaxValues = std::size_t{1} << 21;
constexpr std::size_t kMaxTexts = std::size_t{1} << 20;
constexpr std::size_t kMaxContainers = std::size_t{1} << 18;
constexpr std::size_t kMaxMarks = 1000;
constexpr int kFirstProtocol = 2;
constexpr int kLastProtocol = 5;

const char* const kWayOut = "; save the tensors or arrays alone";
const char* const kDataAlone = "a pickle of numbers, text, lists and arrays alone";

struct ForbiddenOpcode {
    unsigned char code;
    std::string_view name;
};

/// Opcodes that create or run objects, with their names in pickletools. Other unknown opcodes have no name here.
constexpr std::array kForbidden{
    ForbiddenOpcode{'i', "INST"},         ForbiddenOpcode{'o', "OBJ"},
    ForbiddenOpcode{0x81, "NEWOBJ"},      ForbiddenOpcode{0x92, "NEWOBJ_EX"},
    ForbiddenOpcode{0x82, "EXT1"},        ForbiddenOpcode{0x83, "EXT2"},
    ForbiddenOpcode{0x84, "EXT4"},        ForbiddenOpcode{'P', "PERSID"},
    ForbiddenOpcode{0x97, "NEXT_BUFFER"}, ForbiddenOpcode{0x98, "READONLY_BUFFER"},
    ForbiddenOpcode{0x8f, "EMPTY_SET"},   ForbiddenOpcode{0x91, "FROZENSET"},
};

} // namespace

/// Executes the opcodes that build data; only records calls.
class PickleMachine {
public:
    PickleMachine(Pickle& pickle, std::span<const std::byte> bytes, const std::string& where)
        : pickle_(pickle), bytes_(bytes), where_(where) {}

    void run() {
        if (bytes_.size() < 2 || byteAt(0) != 0x80 || byteAt(1) < kFirstProtocol || byteAt(1) > kLastProtocol)
            refuse(where_, "a pickle of protocol 2 to 5", "another beginning");
        at_ = 2;
        while (true) {
            opcodeAt_ = at_;
            const auto code = static_cast<unsigned char>(number(1));
            if (code == '.')
                break;
            if (!value(code) && !container(code) && !memory(code) && !call(code))
                refuseOpcode(code);
        }
        if (stack_.size() != 1 || !marks_.empty())
            damaged("one value at the end");
        if (at_ != bytes_.size())
            damaged("nothing after the end");
        pickle_.root_ = stack_.back();
    }

private:
    // Reading

    std::uint8_t byteAt(std::size_t at) const { return std::to_integer<std::uint8_t>(bytes_[at]); }

    [[noreturn]] void damaged(const std::string& expected) const {
        refuse(where_, expected, "a damaged or truncated pickle (byte " + std::to_string(opcodeAt_) + ")");
    }

    [[noreturn]] void refuseOpcode(unsigned char code) const {
        const ForbiddenOpcode* bad = findBy(kForbidden, &ForbiddenOpcode::code, code);
        if (bad == nullptr)
            damaged("an opcode of a pickle");
        refuse(where_, kDataAlone, "the opcode " + std::string(bad->name) + ", which is never followed" + kWayOut);
    }

    [[noreturn]] void refuseName(std::string_view name, const char* what) const {
        refuse(where_, kDataAlone, what + ("'" + printable(name)) + "', which is never run" + kWayOut);
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            damaged("all of its bytes");
        const std::string_view taken(reinterpret_cast<const char*>(bytes_.data()) + at_, count);
        at_ += count;
        return taken;
    }

    /// A little-endian number of at most 8 bytes.
    std::uint64_t number(std::size_t count) { return littleEndian(std::as_bytes(std::span(take(count)))); }

    std::string_view line() {
        const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, bytes_.size() - at_);
        const std::size_t end = rest.find('\n');
        if (end == rest.npos)
            damaged("the end of a name");
        at_ += end + 1;
        return rest.substr(0, end);
    }

    // The stack

    bool push(PickleValue value) {
        if (++values_ > kMaxValues)
            refuse(where_, "at most " + std::to_string(kMaxValues) + " values", "more of them");
        stack_.push_back(value);
        return true;
    }

    PickleValue top() const {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
            damaged("a value on the stack");
        return stack_.back();
    }

    PickleValue pop() {
        const PickleValue value = top();
        stack_.pop_back();
        return value;
    }

    /// Removes the values above the last mark, and the mark, and returns the values.
    std::vector<PickleValue> popMarked() {
        if (marks_.empty())
            damaged("a mark on the stack");
        const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<PickleValue> values(first, stack_.end());
        stack_.erase(first, stack_.end());
        marks_.pop_back();
        return values;
    }

    std::uint32_t keep(std::vector<PickleValue> values) {
        requireRoom();
        pickle_.containers_.push_back(std::move(values));
        return static_cast<std::uint32_t>(pickle_.containers_.size() - 1);
    }

    void requireRoom() const {
        if (pickle_.containers_.size() + pickle_.calls_.size() + pickle_.outside_.size() >= kMaxContainers)
            refuse(where_, "at most " + std::to_string(kMaxContainers) + " lists, dictionaries and calls",
                   "more of them");
    }

    // Opcodes

    bool pushInteger(std::int64_t value) {
        const auto narrow = static_cast<std::int32_t>(value);
        if (narrow == value)
            return push({PickleKind::Integer, static_cast<std::uint32_t>(narrow)});
        pickle_.wide_.push_back(value);
        return push({PickleKind::LongInteger, static_cast<std::uint32_t>(pickle_.wide_.size() - 1)});
    }

    bool pushLong() {
        const std::uint64_t count = number(1);
        if (count > 8)
            refuse(where_, "whole numbers of at most 64 bits", "one of " + std::to_string(count * 8));
        const std::uint64_t bits = number(count);
        const bool negative = count > 0 && (bits >> (8 * count - 1) & 1) != 0;
        const std::uint64_t upper = count < 8 ? ~std::uint64_t{0} << (8 * count) : 0;
        return pushInteger(static_cast<std::int64_t>(negative ? bits | upper : bits));
    }

    bool pushText(std::uint64_t count) {
        if (pickle_.texts_.size() >= kMaxTexts)
            refuse(where_, "at most " + std::to_string(kMaxTexts) + " texts", "more of them");
        pickle_.texts_.push_back(take(count));
        return push({PickleKind::Text, static_cast<std::uint32_t>(pickle_.texts_.size() - 1)});
    }

    bool value(unsigned char code) {
        switch (code) {
        case 'N':
            return push({PickleKind::None, 0});
        case 0x88:
        case 0x89:
            return push({PickleKind::Bool, code == 0x88 ? 1U : 0U});
        case 'K':
            return pushInteger(static_cast<std::int64_t>(number(1)));
        case 'M':
            return pushInteger(static_cast<std::int64_t>(number(2)));
        case 'J':
            return pushInteger(static_cast<std::int32_t>(number(4)));
        case 0x8a:
            return pushLong();
        case 'G':
            take(8);
            return push({PickleKind::Real, 0});
        case 'U': // SHORT_BINSTRING, SHORT_BINBYTES, SHORT_BINUNICODE
        case 'C':
        case 0x8c:
            return pushText(number(1));
        case 'T': // BINSTRING, BINBYTES, BINUNICODE
        case 'B':
        case 'X':
            return pushText(number(4));
        case 0x8d: // BINUNICODE8, BINBYTES8, BYTEARRAY8
        case 0x8e:
        case 0x96:
            return pushText(number(8));
        default:
            return false;
        }
    }

    bool container(unsigned char code) {
        switch (code) {
        case '(':
            if (marks_.size() >= kMaxMarks)
                refuse(where_, "at most " + std::to_string(kMaxMarks) + " values in each other", "more of them");
            marks_.push_back(stack_.size());
            return true;
        case ')':
            return push({PickleKind::Tuple, keep({})});
        case ']':
            return push({PickleKind::List, keep({})});
        case '}':
            return push({PickleKind::Dict, keep({})});
        case 't':
            return push({PickleKind::Tuple, keep(popMarked())});
        case 0x85:
        case 0x86:
        case 0x87:
            return shortTuple(code - 0x84U);
        case 'a':
            return append(PickleKind::List, {pop()});
        case 'e':
            return append(PickleKind::List, popMarked());
        case 's': {
            const PickleValue value = pop();
            const PickleValue key = pop();
            return append(PickleKind::Dict, {key, value});
        }
        case 'u':
            return append(PickleKind::Dict, popMarked());
        default:
            return false;
        }
    }

    bool shortTuple(std::size_t count) {
        std::vector<PickleValue> values(count);
        for (std::size_t i = count; i-- > 0;)
            values[i] = pop();
        return push({PickleKind::Tuple, keep(std::move(values))});
    }

    bool append(PickleKind kind, const std::vector<PickleValue>& values) {
        const PickleValue target = top();
        if (target.kind != kind || (kind == PickleKind::Dict && values.size() % 2 != 0))
            damaged(kind == PickleKind::List ? "a list to append to" : "a dictionary to fill");
        // A pickle can append to a container again and again through the memo, so the total is limited.
        stored_ += values.size();
        if (stored_ > kMaxValues)
            refuse(where_, "at most " + std::to_string(kMaxValues) + " values", "more of them");
        std::vector<PickleValue>& items = pickle_.containers_[target.at];
        items.insert(items.end(), values.begin(), values.end());
        return true;
    }

    bool memory(unsigned char code) {
        switch (code) {
        case 0x94: // MEMOIZE
            return store(memo_.size());
        case 'q':
            return store(number(1));
        case 'r':
            return store(number(4));
        case 'h':
            return recall(number(1));
        case 'j':
            return recall(number(4));
        case 0x80: // PROTO
            take(1);
            return true;
        case 0x95: // FRAME
            take(8);
            return true;
        default:
            return false;
        }
    }

    bool store(std::uint64_t index) {
        // Python numbers memo entries in ascending order; some programs start at 1.
        if (index > memo_.size() + 1 || index >= kMaxValues)
            damaged("a memo that is counted up");
        if (index >= memo_.size())
            memo_.resize(index + 1);
        memo_[index] = top();
        return true;
    }

    bool recall(std::uint64_t index) {
        if (index >= memo_.size() || !memo_[index])
            damaged("something remembered");
        return push(*memo_[index]);
    }

    bool call(unsigned char code) {
        switch (code) {
        case 'c': {
            const std::string_view module = line();
            const std::string_view name = line();
            return pushName(module, name);
        }
        case 0x93: { // STACK_GLOBAL
            const auto name = pickle_.text(pop());
            const auto module = pickle_.text(pop());
            if (!name || !module)
                damaged("a name as text");
            return pushName(*module, *name);
        }
        case 'R':
            return reduce();
        case 'b':
            return build();
        case 'Q':
            requireRoom();
            pickle_.outside_.push_back(pop());
            return push({PickleKind::Outside, static_cast<std::uint32_t>(pickle_.outside_.size() - 1)});
        default:
            return false;
        }
    }

    bool pushName(std::string_view module, std::string_view name) {
        constexpr std::size_t longest = 200; // limit before the parts are joined
        const std::string full = std::string(module.substr(0, longest)).append(".").append(name.substr(0, longest));
        const PickleName* known = findBy(kPickleNames, &PickleName::name, full);
        if (known == nullptr)
            refuseName(full, "the name ");
        return push({PickleKind::Name, static_cast<std::uint32_t>(known - kPickleNames.data())});
    }

    bool reduce() {
        const PickleValue arguments = pop();
        const PickleValue function = pop();
        if (function.kind != PickleKind::Name)
            refuse(where_, kDataAlone, "a call of " + pickle_.describe(function) + ", which is never run" + kWayOut);
        if (arguments.kind != PickleKind::Tuple)
            damaged("a tuple of arguments");
        const PickleName& called = kPickleNames[function.at];
        if (called.use == PickleName::Use::Class)
            refuseName(called.name, "a call of ");
        if (called.name == "collections.OrderedDict") // filled afterwards
            return push({PickleKind::Dict, keep({})});
        requireRoom();
        pickle_.calls_.push_back({function.at, arguments, {}});
        return push({PickleKind::Call, static_cast<std::uint32_t>(pickle_.calls_.size() - 1)});
    }

    bool build() {
        const PickleValue state = pop();
        const PickleValue target = top();
        if (target.kind == PickleKind::Dict) // attributes of an OrderedDict, which hold no tensors
            return true;
        if (target.kind != PickleKind::Call)
            refuse(where_, kDataAlone, "a state for " + pickle_.describe(target) + ", which is never built" + kWayOut);
        Pickle::Call& made = pickle_.calls_[target.at];
        if (kPickleNames[made.name].use != PickleName::Use::Filled)
            refuseName(kPickleNames[made.name].name, "a state for ");
        made.state = state;
        return true;
    }

    Pickle& pickle_;
    std::span<const std::byte> bytes_;
    const std::string& where_;
    std::size_t at_ = 0, opcodeAt_ = 0;
    std::size_t values_ = 0, stored_ = 0;
    std::vector<PickleValue> stack_;
    std::vector<std::size_t> marks_;
    std::vector<std::optional<PickleValue>> memo_;
};

Pickle::Pickle(std::span<const std::byte> bytes, const std::string& where) {
    PickleMachine(*this, bytes, where).run();
}

} // namespace assay
