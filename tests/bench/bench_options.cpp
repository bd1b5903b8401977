#include "tests/bench/bench_options.h"

#include <CLI/CLI.hpp>

namespace assay::bench {

struct BenchOptions::Parser {
    CLI::App app;
};

BenchOptions::BenchOptions(const std::string& title) : parser_(new Parser{CLI::App(title)}) {}

BenchOptions::~BenchOptions() = default;

void BenchOptions::add(const std::string& name, int& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->capture_default_str();
}

void BenchOptions::add(const std::string& name, unsigned& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->capture_default_str();
}

void BenchOptions::add(const std::string& name, std::size_t& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->capture_default_str();
}

void BenchOptions::add(const std::string& name, std::string& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->capture_default_str();
}

void BenchOptions::add(const std::string& name, std::vector<std::size_t>& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->delimiter(',')->capture_default_str();
}

void BenchOptions::add(const std::string& name, std::vector<std::string>& value, const std::string& help) {
    parser_->app.add_option(name, value, help)->delimiter(',')->capture_default_str();
}

void BenchOptions::add(const std::string& name, bool& value, const std::string& help) {
    parser_->app.add_flag(name, value, help);
}

bool BenchOptions::parse(int argc, char** argv) {
    try {
        parser_->app.parse(argc, argv);
        return true;
    } catch (const CLI::ParseError& error) {
        exitCode_ = parser_->app.exit(error);
        return false;
    }
}

} // namespace assay::bench
