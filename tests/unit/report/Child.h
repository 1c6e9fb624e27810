// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a probe and keeps what it printed and how it ended.

#ifndef ACCX_TESTS_REPORT_CHILD_H
#define ACCX_TESTS_REPORT_CHILD_H

#include <map>
#include <string>
#include <vector>

struct Child {
  std::string Out;
  std::string Err;
  int ExitCode = -1; ///< -1 if a signal ended it.
  int Signal = 0;

  /// Lines of Err that begin with \p Prefix.
  std::vector<std::string> errorLines(const std::string &Prefix) const;
};

/// Runs \p Program with exactly the variables \p Variables besides the test's
/// own that are not the runtime's.
Child run(const std::string &Program, const std::vector<std::string> &Arguments,
          const std::map<std::string, std::string> &Variables = {});

std::vector<std::string> lines(const std::string &Text);
std::string readFile(const std::string &Path);

/// A name for a file that does not exist yet; removed at the end.
class TemporaryFile {
  std::string Path;

public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  const std::string &path() const { return Path; }
};

#endif // ACCX_TESTS_REPORT_CHILD_H
