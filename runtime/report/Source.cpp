//===- Source.cpp - Where in the program something comes from -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes clang's records apart. Line and column are read from the end of the
// record, so that a semicolon in a file name does no harm; records that do not
// end as clang's do are read from the front, field by field.
//
//===----------------------------------------------------------------------===//

#include "report/Source.h"

#include <charconv>

using namespace accx;

namespace {

/// False if \p Text is not a whole number of 0 or more that fits.
bool parseNumber(std::string_view Text, int &Value) {
  int Parsed = 0;
  auto [End, Failure] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Parsed);
  if (Failure != std::errc() || End != Text.data() + Text.size() || Parsed < 0)
    return false;
  Value = Parsed;
  return true;
}

/// Cuts the last field off \p Text, with the semicolon before it.
bool cutLast(std::string_view &Text, std::string_view &Field) {
  const size_t Separator = Text.rfind(';');
  if (Separator == std::string_view::npos)
    return false;
  Field = Text.substr(Separator + 1);
  Text = Text.substr(0, Separator);
  return true;
}

/// Cuts the first field off \p Text, with the semicolon after it.
std::string_view cutFirst(std::string_view &Text) {
  const size_t Separator = Text.find(';');
  const std::string_view Field = Text.substr(0, Separator);
  Text = Separator == std::string_view::npos ? std::string_view()
                                             : Text.substr(Separator + 1);
  return Field;
}

struct Fields {
  std::string_view First, Second;
  int Line = 0, Column = 0;
};

/// Takes ";first;second;line;column;;" apart. \p FirstIsFile says which of the
/// two text fields may contain semicolons.
Fields split(std::string_view Record, bool FirstIsFile) {
  Fields Result;
  // What is before the first semicolon is not ours.
  cutFirst(Record);

  std::string_view Rest = Record, Line, Column, Empty;
  const bool Regular =
      Rest.ends_with(";;") && cutLast(Rest, Empty) && cutLast(Rest, Empty) &&
      cutLast(Rest, Column) && cutLast(Rest, Line) &&
      Rest.find(';') != std::string_view::npos &&
      parseNumber(Line, Result.Line) && parseNumber(Column, Result.Column);
  if (Regular) {
    const size_t Separator = FirstIsFile ? Rest.rfind(';') : Rest.find(';');
    Result.First = Rest.substr(0, Separator);
    Result.Second = Rest.substr(Separator + 1);
    return Result;
  }

  Result.Line = Result.Column = 0;
  Result.First = cutFirst(Record);
  Result.Second = cutFirst(Record);
  parseNumber(cutFirst(Record), Result.Line);
  parseNumber(cutFirst(Record), Result.Column);
  return Result;
}

std::string_view baseName(std::string_view Path) {
  // Without a slash rfind gives npos, and npos + 1 is 0.
  return Path.substr(Path.rfind('/') + 1);
}

SourceLocation make(std::string_view Name, std::string_view File, int Line,
                    int Column) {
  SourceLocation Location;
  if (!Name.empty())
    Location.Name = Name;
  if (File = baseName(File); !File.empty())
    Location.File = File;
  Location.Line = Line;
  Location.Column = Column;
  Location.Known = Line != 0 || Column != 0;
  return Location;
}

} // namespace

SourceLocation SourceLocation::ofConstruct(const Ident *Loc) {
  if (!Loc || !Loc->Source)
    return {};
  const Fields Parts = split(Loc->Source, /*FirstIsFile=*/true);
  return make(Parts.Second, Parts.First, Parts.Line, Parts.Column);
}

SourceLocation SourceLocation::ofItem(const void *NameRecord) {
  if (!NameRecord)
    return {};
  const std::string_view Record = static_cast<const char *>(NameRecord);
  if (Record.find(';') == std::string_view::npos)
    return make(Record, {}, 0, 0);
  const Fields Parts = split(Record, /*FirstIsFile=*/false);
  return make(Parts.First, Parts.Second, Parts.Line, Parts.Column);
}

std::string SourceLocation::text() const {
  std::string Text(File);
  Text += ':';
  Text += std::to_string(Line);
  Text += ':';
  Text += std::to_string(Column);
  return Text;
}

std::string accx::itemName(const void *NameRecord) {
  return std::string(SourceLocation::ofItem(NameRecord).Name);
}
