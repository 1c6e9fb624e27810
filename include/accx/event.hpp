//===- accx/event.hpp - Events of accx/event.h in C++ -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// accx/event.h with owners and exceptions; its conventions hold here
// (docs/events.md). Nothing more than calls of it: C and C++ may be mixed.
// C++17 and later. Includes accx/operations.hpp, which has what is queued, and
// for C++20's coroutines accx/coroutine.hpp.
//
//  - A call that fails throws accx::error. An operation that fails later tells
//    by its event: get() throws, wait() and status() return the number.
//  - An `event` owns one reference. An empty one counts as ended, and well.
//  - Any thread may use any event; one object is used by one thread at a time,
//    as far as it is changed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_EVENT_HPP
#define ACCX_EVENT_HPP

#include <accx/event.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace accx {

/// A call or an operation that failed.
class error : public std::runtime_error {
  int code_;

public:
  error(int code, const std::string &text)
      : std::runtime_error(text.empty() ? std::strerror(-code) : text),
        code_(code) {}
  /// The negative error number.
  int code() const noexcept { return code_; }
};

namespace detail {
inline void check(int code, const char *function) {
  if (code < 0)
    throw error(code, std::string(function) + ": " + std::strerror(-code));
}
} // namespace detail

/// An operation's end, or nothing.
class event {
  accx_event_t handle_ = nullptr;

public:
  event() noexcept = default;
  /// Takes the reference over.
  explicit event(accx_event_t handle) noexcept : handle_(handle) {}
  event(event &&other) noexcept : handle_(other.release()) {}
  event &operator=(event &&other) noexcept {
    if (this != &other)
      reset(other.release());
    return *this;
  }
  ~event() { accx_event_release(handle_); }

  /// A further owner of the same event.
  event share() const {
    if (handle_)
      detail::check(accx_event_retain(handle_), "accx_event_retain");
    return event(handle_);
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  accx_event_t handle() const noexcept { return handle_; }
  /// Gives the reference away.
  accx_event_t release() noexcept { return std::exchange(handle_, nullptr); }
  void reset(accx_event_t handle = nullptr) noexcept {
    accx_event_release(std::exchange(handle_, handle));
  }
  /// Where a function of C puts its event; this one is empty before.
  accx_event_t *out() noexcept {
    reset();
    return &handle_;
  }

  /// 0: it has ended well; 1: it is under way; negative: it failed.
  int status() const noexcept {
    return handle_ ? accx_event_status(handle_) : 0;
  }
  bool done() const noexcept { return status() != 1; }
  /// Waits until it has ended, and returns the status.
  int wait() const noexcept {
    return handle_ ? accx_event_wait(1, &handle_) : 0;
  }
  /// Waits until it has ended, and throws if it failed.
  void get() const {
    if (const int code = wait())
      throw error(code, message());
  }
  /// Waits no longer than `duration`. Messages go on meanwhile, on every level
  /// of MPI's threads.
  template <class Rep, class Period>
  std::future_status
  wait_for(const std::chrono::duration<Rep, Period> &duration) const {
    return wait_until(std::chrono::steady_clock::now() + duration);
  }
  template <class Duration>
  std::future_status wait_until(
      const std::chrono::time_point<std::chrono::steady_clock, Duration> &end)
      const {
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    while (!done()) {
      const auto now = steady_clock::now();
      if (now >= end)
        return std::future_status::timeout;
      const auto pause =
          std::min<nanoseconds>((now - begin) / 16, microseconds(250));
      std::this_thread::sleep_for(std::min<nanoseconds>(pause, end - now));
    }
    return std::future_status::ready;
  }

  /// What failed and why; "" unless it failed.
  std::string message() const {
    return handle_ ? accx_event_message(handle_) : "";
  }

  /// Nanoseconds of CLOCK_MONOTONIC, 0 for what is not known yet.
  struct times_type {
    std::uint64_t queued, handed_over, started, ended;
  };
  times_type times() const {
    std::uint64_t ns[4] = {};
    if (handle_)
      detail::check(accx_event_times(handle_, ns), "accx_event_times");
    return {ns[0], ns[1], ns[2], ns[3]};
  }

  /// Calls `call(status)` once, when it has ended, on the thread that ends it,
  /// or on this one if it has. `call` must not wait, and must not throw.
  template <class Call> void then(Call &&call) const {
    using Stored = std::decay_t<Call>;
    if (!handle_) {
      std::invoke(std::forward<Call>(call), 0);
      return;
    }
    auto stored = std::make_unique<Stored>(std::forward<Call>(call));
    detail::check(accx_event_callback(
                      handle_,
                      [](accx_event_t, int status, void *data) noexcept {
                        std::unique_ptr<Stored> call(
                            static_cast<Stored *>(data));
                        std::invoke(*call, status);
                      },
                      stored.get()),
                  "accx_event_callback");
    stored.release();
  }

  /// Fulfills OpenMP's `detach` event when this one has ended.
  void fulfill(std::uintptr_t omp_event_handle) const {
    detail::check(accx_event_fulfill(handle_, omp_event_handle),
                  "accx_event_fulfill");
  }
};

/// An event that the program ends. One that is never completed ends with
/// -ECANCELED when its last owner of this type goes.
class user_event : public event {
  // Of its own, as the event may be moved away.
  event promise_;

public:
  user_event() {
    detail::check(accx_event_create_user(out()), "accx_event_create_user");
    promise_ = share();
  }
  user_event(user_event &&) noexcept = default;
  user_event &operator=(user_event &&other) noexcept {
    abandon();
    event::operator=(std::move(other));
    promise_ = std::move(other.promise_);
    return *this;
  }
  ~user_event() { abandon(); }

  /// Ends it, with 0 or a negative error number; throws if it was ended before.
  void complete(int status = 0) {
    detail::check(accx_event_complete(promise_.handle(), status),
                  "accx_event_complete");
  }

private:
  void abandon() noexcept {
    if (promise_)
      accx_event_complete(promise_.handle(), -ECANCELED);
  }
};

/// The events that an operation waits for: none, one, `{a, b}`, or anything
/// that has data() and size(), such as a vector, an array or a span of events.
/// Empty events are left out.
class wait_list {
  std::vector<accx_event_t> handles_;

  void add(const event &e) {
    if (e)
      handles_.push_back(e.handle());
  }

public:
  wait_list() noexcept = default;
  wait_list(const event &e) { add(e); }
  /// Also what stands for an event, such as a task.
  template <class Like,
            class = std::enable_if_t<
                std::is_convertible_v<const Like &, const event &> &&
                !std::is_base_of_v<event, Like>>,
            class = void>
  wait_list(const Like &like) {
    add(like);
  }
  wait_list(std::initializer_list<std::reference_wrapper<const event>> list) {
    for (const event &e : list)
      add(e);
  }
  template <class Range, class = std::enable_if_t<std::is_base_of_v<
                             event, std::decay_t<decltype(*std::data(
                                        std::declval<const Range &>()))>>>>
  wait_list(const Range &range) {
    for (const event &e : range)
      add(e);
  }
  int size() const noexcept { return static_cast<int>(handles_.size()); }
  const accx_event_t *data() const noexcept { return handles_.data(); }
};

} // namespace accx

#include <accx/operations.hpp>
#if defined(__cpp_impl_coroutine)
#include <accx/coroutine.hpp>
#endif

#endif // ACCX_EVENT_HPP
