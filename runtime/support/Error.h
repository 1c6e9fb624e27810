//===- Error.h - Errors as values -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status and Expected carry failures through the runtime; they become integers
// only at the ABI edge.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_ERROR_H
#define ACCX_SUPPORT_ERROR_H

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace accx {

/// What kind of failure it was; decides what the runtime may still do.
enum class ErrorCode {
  OutOfMemory, ///< Release idle memory and try again.
  NotPresent,  ///< A `present` map found bytes that are not on the device.
  Extension,   ///< A map would extend an entry and must not.
  Invalid,     ///< An argument makes no sense.
  Unsupported, ///< The device or the runtime cannot do this.
  Image,       ///< The image is unusable.
  Kernel,      ///< A kernel trapped.
  DeviceLost,  ///< The device does not answer any more.
  Unknown
};

/// Success, or a code with one line of text. Success costs one null pointer.
class [[nodiscard]] Status {
  struct Failure {
    ErrorCode Code;
    std::string Text;
  };
  std::unique_ptr<Failure> Fail;

public:
  Status() = default;
  Status(ErrorCode Code, std::string Text)
      : Fail(new Failure{Code, std::move(Text)}) {}

  static Status success() { return {}; }

  bool ok() const { return !Fail; }
  bool failed() const { return Fail != nullptr; }
  ErrorCode code() const {
    assert(Fail && "success has no code");
    return Fail->Code;
  }
  const std::string &text() const {
    assert(Fail && "success has no text");
    return Fail->Text;
  }

  /// Puts \p Context and ": " before the text of a failure.
  Status &&within(const std::string &Context) && {
    if (Fail)
      Fail->Text = Context + ": " + Fail->Text;
    return std::move(*this);
  }
};

/// A value or a failed Status.
template <typename T> class [[nodiscard]] Expected {
  std::variant<T, Status> Held;

public:
  Expected(T Value) : Held(std::in_place_index<0>, std::move(Value)) {}
  Expected(Status Error) : Held(std::in_place_index<1>, std::move(Error)) {
    assert(std::get<1>(Held).failed() && "success without a value");
  }

  bool ok() const { return Held.index() == 0; }
  T &operator*() { return std::get<0>(Held); }
  const T &operator*() const { return std::get<0>(Held); }
  T *operator->() { return &std::get<0>(Held); }
  Status takeStatus() { return ok() ? Status() : std::move(std::get<1>(Held)); }
};

} // namespace accx

#endif // ACCX_SUPPORT_ERROR_H
