//===- TraceEvent.cpp - Activities as Chrome trace events -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON by hand: the hot path of tracing neither allocates nor uses printf.
//
//===----------------------------------------------------------------------===//

#include "report/TraceEvent.h"

#include "report/KernelName.h"

#include <charconv>
#include <cstdint>
#include <cstring>

using namespace accx;

namespace {

/// Longest form of one byte of text: U+FFFD takes 3 bytes, \u00xx takes 6.
constexpr size_t MaxEscape = 6;
constexpr std::string_view Ellipsis = "...";

/// Length of the UTF-8 sequence \p Text begins with, or 0 if it is none.
size_t sequenceLength(std::string_view Text) {
  auto Byte = [&Text](size_t I) {
    return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0u;
  };
  const unsigned First = Byte(0), Second = Byte(1);
  size_t Length = 0;
  unsigned Low = 0x80, High = 0xbf; // What the second byte may be.
  if (First >= 0xc2 && First <= 0xdf) {
    Length = 2;
  } else if (First >= 0xe0 && First <= 0xef) {
    Length = 3;
    if (First == 0xe0)
      Low = 0xa0; // Shorter forms exist.
    else if (First == 0xed)
      High = 0x9f; // Surrogates.
  } else if (First >= 0xf0 && First <= 0xf4) {
    Length = 4;
    if (First == 0xf0)
      Low = 0x90; // Shorter forms exist.
    else if (First == 0xf4)
      High = 0x8f; // Beyond U+10FFFF.
  } else {
    return 0;
  }
  if (Second < Low || Second > High)
    return 0;
  for (size_t I = 2; I < Length; ++I)
    if ((Byte(I) & 0xc0) != 0x80)
      return 0;
  return Length;
}

std::string_view plainName(const void *Record) {
  return Record ? SourceLocation::ofItem(Record).Name : std::string_view();
}

} // namespace

void JsonWriter::raw(std::string_view Text) {
  if (Text.empty()) // There may be no pointer.
    return;
  memcpy(At, Text.data(), Text.size());
  At += Text.size();
}

void JsonWriter::number(uint64_t Value) {
  At = std::to_chars(At, At + 20, Value).ptr;
}

void JsonWriter::microseconds(uint64_t Nanoseconds) {
  number(Nanoseconds / 1000);
  const unsigned Rest = Nanoseconds % 1000;
  *At++ = '.';
  *At++ = static_cast<char>('0' + Rest / 100);
  *At++ = static_cast<char>('0' + Rest / 10 % 10);
  *At++ = static_cast<char>('0' + Rest % 10);
}

size_t JsonWriter::textBound(std::string_view Text) {
  return (Text.size() < MaxText ? Text.size() : MaxText) * MaxEscape +
         Ellipsis.size();
}

void JsonWriter::text(std::string_view Text) {
  size_t Taken = 0;
  while (!Text.empty()) {
    const unsigned char C = static_cast<unsigned char>(Text.front());
    size_t Length = 1;
    if (C >= 0x80 && (Length = sequenceLength(Text)) == 0) {
      raw("\xef\xbf\xbd"); // U+FFFD, the mark for what is not UTF-8.
      Length = 1;
    } else if (Taken + Length > MaxText) {
      break;
    } else if (C == '"' || C == '\\') {
      *At++ = '\\';
      *At++ = static_cast<char>(C);
    } else if (C < 0x20 || C == 0x7f) {
      raw("\\u00");
      *At++ = "0123456789abcdef"[C >> 4];
      *At++ = "0123456789abcdef"[C & 15];
    } else {
      raw(Text.substr(0, Length));
    }
    Text.remove_prefix(Length);
    Taken += Length;
    if (Taken >= MaxText)
      break;
  }
  if (!Text.empty())
    raw(Ellipsis);
}

ActivityEvent::ActivityEvent(const FinishedActivity &Activity)
    : Activity(Activity), At(SourceLocation::ofConstruct(Activity.Info.Loc)),
      Kernel(plainName(Activity.Info.Kernel)),
      Item(plainName(Activity.Info.ItemName)), What(whatName(Activity.Info)),
      Label(Activity.Info.Kernel
                ? kernelLabel(Activity.Info.Kernel, Activity.Info.Loc)
                : std::string()) {}

size_t ActivityEvent::bound() const {
  // Names appear twice: as the event's name and among its arguments.
  constexpr size_t Fixed = 768;
  return Fixed + JsonWriter::textBound(What) + JsonWriter::textBound(Label) +
         2 * (JsonWriter::textBound(Kernel) + JsonWriter::textBound(Item)) +
         JsonWriter::textBound(At.File) + JsonWriter::textBound(At.Name) +
         JsonWriter::textBound(Activity.Info.Detail);
}

char *ActivityEvent::write(char *To, int Process, int Thread) const {
  const ActivityInfo &Info = Activity.Info;
  const std::string_view Kind = kindName(Activity.Kind);
  JsonWriter Out(To);

  Out.raw(",\n{\"ph\":\"X\",\"name\":\"");
  if (!Kernel.empty()) {
    Out.text(Label);
  } else {
    Out.text(What.empty() ? Kind : What);
    if (!Item.empty()) {
      Out.raw(" ");
      Out.text(Item);
    }
  }
  Out.raw("\",\"cat\":\"");
  Out.raw(Kind);
  Out.raw("\",\"ts\":");
  Out.microseconds(Activity.Begin);
  Out.raw(",\"dur\":");
  Out.microseconds(Activity.Nanoseconds);
  Out.raw(",\"pid\":");
  Out.number(static_cast<uint64_t>(Process));
  Out.raw(",\"tid\":");
  Out.number(static_cast<uint64_t>(Thread));

  Out.raw(",\"args\":{\"queue\":");
  Out.number(Info.Queue);
  if (Info.Device >= 0) {
    Out.raw(",\"device\":");
    Out.number(static_cast<uint64_t>(Info.Device));
  }
  if (Info.Bytes != 0) {
    Out.raw(",\"bytes\":");
    Out.number(Info.Bytes);
  }
  auto Argument = [&Out](std::string_view Name, std::string_view Value) {
    Out.raw(",\"");
    Out.raw(Name);
    Out.raw("\":\"");
    Out.text(Value);
    Out.raw("\"");
  };
  if (!Kernel.empty())
    Argument("kernel", Kernel);
  if (!Item.empty())
    Argument("variable", Item);
  if (!Info.Detail.empty())
    Argument("detail", Info.Detail);
  if (At.Known) {
    Argument("function", At.Name);
    Argument("file", At.File);
    Out.raw(",\"line\":");
    Out.number(static_cast<uint64_t>(At.Line));
    Out.raw(",\"column\":");
    Out.number(static_cast<uint64_t>(At.Column));
  }
  Out.raw("}}");
  return Info.Peer < 0 ? Out.end() : writePeer(Out.end(), Process, Thread);
}

char *ActivityEvent::writePeer(char *To, int Process, int Thread) const {
  JsonWriter Out(To);
  Out.raw(",\n{\"ph\":\"C\",\"name\":\"device ");
  Out.number(static_cast<uint64_t>(Activity.Info.Device));
  Out.raw(" to device ");
  Out.number(static_cast<uint64_t>(Activity.Info.Peer));
  Out.raw("\",\"ts\":");
  Out.microseconds(Activity.Begin + Activity.Nanoseconds);
  Out.raw(",\"pid\":");
  Out.number(static_cast<uint64_t>(Process));
  Out.raw(",\"tid\":");
  Out.number(static_cast<uint64_t>(Thread));
  Out.raw(",\"args\":{\"bytes\":");
  Out.number(Activity.PeerBytes);
  Out.raw("}}");
  return Out.end();
}

std::string accx::nameEvent(std::string_view What, std::string_view Name,
                            int Process, int Thread) {
  std::string Text(256 + JsonWriter::textBound(Name), '\0');
  JsonWriter Out(Text.data());
  Out.raw(",\n{\"ph\":\"M\",\"name\":\"");
  Out.raw(What);
  Out.raw("\",\"pid\":");
  Out.number(static_cast<uint64_t>(Process));
  Out.raw(",\"tid\":");
  Out.number(static_cast<uint64_t>(Thread));
  Out.raw(",\"args\":{\"name\":\"");
  Out.text(Name);
  Out.raw("\"}}");
  Text.resize(static_cast<size_t>(Out.end() - Text.data()));
  return Text;
}

std::string accx::noteEvent(std::string_view Note, uint64_t Nanoseconds,
                            int Process, int Thread) {
  std::string Text(256 + JsonWriter::textBound(Note), '\0');
  JsonWriter Out(Text.data());
  Out.raw(",\n{\"ph\":\"i\",\"s\":\"p\",\"name\":\"");
  Out.text(Note);
  Out.raw("\",\"ts\":");
  Out.microseconds(Nanoseconds);
  Out.raw(",\"pid\":");
  Out.number(static_cast<uint64_t>(Process));
  Out.raw(",\"tid\":");
  Out.number(static_cast<uint64_t>(Thread));
  Out.raw("}");
  Text.resize(static_cast<size_t>(Out.end() - Text.data()));
  return Text;
}
