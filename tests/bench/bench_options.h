#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::bench {

/// The command line of a benchmark: variables with their defaults, and --help. Compiled once for all benchmarks, as
/// CLI11 takes longer to compile than any of them.
class BenchOptions {
public:
    explicit BenchOptions(const std::string& title);
    ~BenchOptions();
    BenchOptions(const BenchOptions&) = delete;
    BenchOptions& operator=(const BenchOptions&) = delete;

    // Variables stay as they are where the option is not given. Lists take values apart by spaces or commas; a bool is
    // a flag without a value.
    void add(const std::string& name, int& value, const std::string& help = {});
    void add(const std::string& name, unsigned& value, const std::string& help = {});
    void add(const std::string& name, std::size_t& value, const std::string& help = {});
    void add(const std::string& name, std::string& value, const std::string& help = {});
    void add(const std::string& name, std::vector<std::size_t>& value, const std::string& help = {});
    void add(const std::string& name, std::vector<std::string>& value, const std::string& help = {});
    void add(const std::string& name, bool& value, const std::string& help = {});

    /// @return whether to go on; else the benchmark ends with exitCode()
    bool parse(int argc, char** argv);
    int exitCode() const noexcept { return exitCode_; }

private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
    int exitCode_ = 0;
};

} // namespace assay::bench
