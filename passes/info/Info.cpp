//===- Info.cpp - What became of each loop --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps what is said of each place, and prints it in the order of the source
// when the compiler ends: only then has all been said.
//
//===----------------------------------------------------------------------===//

#include "info/Info.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace llvm;

static cl::opt<bool> Wanted("accx-info", cl::init(false), cl::Hidden,
                            cl::desc("Print what became of each loop"));

namespace accx::info {

namespace {

/// A file by its whole name, and a line.
using Key = std::pair<std::string, unsigned>;

struct Range {
  Key First;
  unsigned Last;
  std::string Name;
};

struct Note {
  Key At;
  bool Done;
  std::string Pass, Text, Function;
};

struct Block {
  std::string Title = "loop", Function;
  std::vector<std::string> Lines;
};

struct Collector {
  bool Begun = false, HasSource = false;
  std::string Source, Target;
  std::vector<Range> Ranges[OfHeads + 1];
  std::vector<Note> Notes;
  /// Files as they were first called.
  std::map<std::string, std::string> Names;

  ~Collector() {
    // In one piece: several compilers may share the terminal.
    const std::string Text = Begun ? text() : "";
    std::fwrite(Text.data(), 1, Text.size(), stderr);
  }

  Key keyOf(Place At) {
    SmallString<128> Path(At.File);
    // Without a current folder a name stays as it was given.
    if (!sys::fs::make_absolute(Path))
      sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Names.try_emplace(Path.str().str(), At.File);
    return {Path.str().str(), At.Line};
  }

  /// The innermost lines of this kind that \p At is one of.
  const Range *around(const Key &At, Lines Are) const {
    const Range *Found = nullptr;
    for (const Range &Each : Ranges[Are])
      if (Each.First.first == At.first && Each.First <= At &&
          At.second <= Each.Last && (!Found || Found->First < Each.First))
        Found = &Each;
    return Found;
  }

  void addTo(Block &To, const Note &Each) const {
    const bool ByFrontEnd = Each.Pass == "accx";
    // Directives are read in every compilation, and told of once each.
    if (ByFrontEnd && !around(Each.At, Offloaded) != Target.empty())
      return;
    // 'parallel loop' becomes ...
    if (ByFrontEnd && To.Lines.empty() && Each.Text.front() == '\'')
      To.Title = StringRef(Each.Text).split('\'').second.split('\'').first;
    const Range *In = around(Each.At, OfFunction);
    To.Function = In ? In->Name : Each.Function;
    const std::string Line =
        (Each.Done ? "  + " : "  - ") + Each.Text + " (" + Each.Pass + ")\n";
    if (!is_contained(To.Lines, Line))
      To.Lines.push_back(Line);
  }

  std::string text() const {
    std::map<Key, Block> Blocks;
    for (const Note &Each : Notes) {
      const Range *Heads = around(Each.At, OfHeads);
      addTo(Blocks[Heads ? Heads->First : Each.At], Each);
    }
    std::string Text;
    if (HasSource && Target.empty() && Ranges[Offloaded].empty())
      Text = Source + ": nothing is offloaded\n";
    for (const auto &[At, Of] : Blocks) {
      if (Of.Lines.empty())
        continue;
      Text += Names.at(At.first) + ":" + std::to_string(At.second) + ": " +
              Of.Title + (Of.Function.empty() ? "" : " in " + Of.Function) +
              (Target.empty() ? "" : " (" + Target + ")") + "\n";
      for (const std::string &Line : Of.Lines)
        Text += Line;
    }
    return Text;
  }
};

} // namespace

static Collector &collector() {
  static Collector All;
  return All;
}

bool isWanted() { return Wanted; }

void begin(StringRef Source, StringRef Target, bool ByFrontEnd) {
  Collector &All = collector();
  All.Begun = true;
  All.HasSource |= ByFrontEnd;
  All.Source = Source;
  All.Target = Target;
  All.keyOf({Source});
}

void note(Place At, StringRef Pass, bool Done, StringRef Text,
          StringRef Function) {
  Collector &All = collector();
  All.Notes.push_back(
      {All.keyOf(At), Done, Pass.str(), Text.str(), Function.str()});
}

void add(Lines Are, Place First, unsigned Last, StringRef Name) {
  Collector &All = collector();
  All.Ranges[Are].push_back({All.keyOf(First), Last, Name.str()});
}

} // namespace accx::info
