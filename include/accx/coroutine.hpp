//===- accx/coroutine.hpp - Events and coroutines of C++20 ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `co_await event` goes on when the event has ended, on the thread that ends
// it, and throws accx::error if it failed; `co_await settled(event)` yields the
// status instead. What the coroutine does then must not wait: it queues, and
// awaits. Constructs and queues are those of the device that was current where
// it stopped. accx/event.hpp includes this.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_COROUTINE_HPP
#define ACCX_COROUTINE_HPP

#include <accx/event.hpp>

#if defined(__cpp_impl_coroutine)

#include <coroutine>
#include <exception>
#include <omp.h>
#include <variant>

namespace accx {

namespace detail {

/// Resumes with the default device of where it stopped, which is OpenACC's
/// current one, too.
struct stopped {
  std::coroutine_handle<> where;
  int device;

  void resume() const {
    const int other = omp_get_default_device();
    omp_set_default_device(device);
    where.resume();
    omp_set_default_device(other);
  }
};

class event_awaiter {
protected:
  // One more owner: the event may go while the coroutine waits.
  event event_;

public:
  explicit event_awaiter(event e) noexcept : event_(std::move(e)) {}
  bool await_ready() const noexcept { return event_.done(); }
  void await_suspend(std::coroutine_handle<> where) {
    // A callback may resume, and end, the coroutine before this returns:
    // nothing here is used behind it.
    event_.share().then([stop = stopped{where, omp_get_default_device()}](
                            int) noexcept { stop.resume(); });
  }
};

struct throwing_awaiter : event_awaiter {
  using event_awaiter::event_awaiter;
  void await_resume() const {
    if (const int code = event_.status())
      throw error(code, event_.message());
  }
};

struct status_awaiter : event_awaiter {
  using event_awaiter::event_awaiter;
  int await_resume() const noexcept { return event_.status(); }
};

/// What a task and its coroutine share.
template <class Value> struct task_state {
  using stored = std::conditional_t<std::is_void_v<Value>, char, Value>;
  user_event ended;
  std::variant<std::monostate, std::exception_ptr, stored> result;

  int code() const noexcept {
    const auto *failure = std::get_if<1>(&result);
    if (!failure)
      return 0;
    try {
      std::rethrow_exception(*failure);
    } catch (const error &e) {
      return e.code();
    } catch (...) {
      return -ECANCELED;
    }
  }
};

template <class Value> struct task_promise_base {
  std::shared_ptr<task_state<Value>> state =
      std::make_shared<task_state<Value>>();

  std::suspend_never initial_suspend() noexcept { return {}; }
  // Locals are gone by now; the frame goes right after.
  std::suspend_never final_suspend() noexcept {
    accx_event_complete(state->ended.handle(), state->code());
    return {};
  }
  void unhandled_exception() noexcept {
    state->result = std::current_exception();
  }
};

template <class Value> struct task_promise : task_promise_base<Value> {
  template <class Given> void return_value(Given &&value) {
    this->state->result.template emplace<2>(std::forward<Given>(value));
  }
};
template <> struct task_promise<void> : task_promise_base<void> {
  void return_void() noexcept {}
};

} // namespace detail

inline detail::throwing_awaiter operator co_await(const event &e) {
  return detail::throwing_awaiter(e.share());
}

inline detail::status_awaiter settled(const event &e) {
  return detail::status_awaiter(e.share());
}

/// A coroutine that starts at once, on the thread that calls it, and is an
/// event itself: operations, queues and other coroutines may wait for its end.
/// It goes on if the task object goes.
template <class Value = void> class task {
  std::shared_ptr<detail::task_state<Value>> state_;

public:
  struct promise_type : detail::task_promise<Value> {
    task get_return_object() { return task(this->state); }
  };

  /// Ends with 0, the number of the accx::error that left the coroutine, or
  /// -ECANCELED after another exception.
  const event &ended() const noexcept { return state_->ended; }
  operator const event &() const noexcept { return ended(); }
  bool done() const noexcept { return ended().done(); }
  /// Waits for the end; returns its value, once, or throws what left it.
  Value get() const {
    ended().wait();
    return result();
  }

  auto operator co_await() const {
    struct awaiter : detail::event_awaiter {
      task of;
      explicit awaiter(task t)
          : detail::event_awaiter(t.ended().share()), of(std::move(t)) {}
      Value await_resume() const { return of.result(); }
    };
    return awaiter(*this);
  }

private:
  explicit task(std::shared_ptr<detail::task_state<Value>> state) noexcept
      : state_(std::move(state)) {}

  Value result() const {
    if (const auto *failure = std::get_if<1>(&state_->result))
      std::rethrow_exception(*failure);
    if constexpr (!std::is_void_v<Value>)
      return std::move(std::get<2>(state_->result));
  }
};

} // namespace accx

#endif // __cpp_impl_coroutine

#endif // ACCX_COROUTINE_HPP
