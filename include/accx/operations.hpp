//===- accx/operations.hpp - Files and queues in C++ ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of accx/event.h as functions that return events. Part of
// accx/event.hpp, which includes this.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OPERATIONS_HPP
#define ACCX_OPERATIONS_HPP

#include <accx/event.hpp>

namespace accx {

namespace detail {
/// Calls a function of accx/event.h with the list and a place for its event.
template <class Function, class... Arguments>
event queued(const char *name, Function function, const wait_list &after,
             Arguments... arguments) {
  event result;
  check(function(arguments..., after.size(), after.data(), result.out()), name);
  return result;
}
} // namespace detail

/// accx_read and its like: the operation's event. `queue` is an async argument
/// of OpenACC; with acc_async_sync the event has ended.
inline event read(int queue, void *to, int fd, off_t offset, std::size_t size,
                  const wait_list &after = {}) {
  return detail::queued("accx_read", accx_read, after, queue, to, fd, offset,
                        size);
}
inline event write(int queue, const void *from, int fd, off_t offset,
                   std::size_t size, const wait_list &after = {}) {
  return detail::queued("accx_write", accx_write, after, queue, from, fd,
                        offset, size);
}
inline event read(int queue, void *to, std::size_t size, std::FILE *stream,
                  const wait_list &after = {}) {
  return detail::queued("accx_fread", accx_fread, after, queue, to, size,
                        stream);
}
inline event write(int queue, const void *from, std::size_t size,
                   std::FILE *stream, const wait_list &after = {}) {
  return detail::queued("accx_fwrite", accx_fwrite, after, queue, from, size,
                        stream);
}
/// Sections are accx_section, in anything that has data() and size().
template <class Sections>
event readv(int queue, const Sections &to, int fd, off_t offset,
            const wait_list &after = {}) {
  return detail::queued("accx_readv", accx_readv, after, queue,
                        static_cast<int>(std::size(to)), std::data(to), fd,
                        offset);
}
template <class Sections>
event writev(int queue, const Sections &from, int fd, off_t offset,
             const wait_list &after = {}) {
  return detail::queued("accx_writev", accx_writev, after, queue,
                        static_cast<int>(std::size(from)), std::data(from), fd,
                        offset);
}

/// Waits for all, and throws what the first in the list that failed tells.
inline void wait_all(const wait_list &list) {
  const int code = accx_event_wait(list.size(), list.data());
  for (int i = 0; code < 0 && i < list.size(); ++i)
    if (accx_event_status(list.data()[i]) == code)
      throw error(code, accx_event_message(list.data()[i]));
  detail::check(code, "accx_event_wait");
}

/// An async argument of OpenACC, on the current device of the thread that
/// calls.
class queue {
  int number_;

public:
  constexpr explicit queue(int number) noexcept : number_(number) {}
  constexpr int number() const noexcept { return number_; }

  event read(void *to, int fd, off_t offset, std::size_t size,
             const wait_list &after = {}) const {
    return accx::read(number_, to, fd, offset, size, after);
  }
  event write(const void *from, int fd, off_t offset, std::size_t size,
              const wait_list &after = {}) const {
    return accx::write(number_, from, fd, offset, size, after);
  }
  /// What is queued next starts after the events.
  void wait(const wait_list &after) const {
    detail::check(accx_queue_wait(number_, after.size(), after.data()),
                  "accx_queue_wait");
  }
  /// The end of what is queued so far.
  event last() const {
    event result;
    detail::check(accx_event_of_queue(number_, result.out()),
                  "accx_event_of_queue");
    return result;
  }
  /// The thread's next target construct goes here, after the events: its end.
  event next_target(const wait_list &after = {}) const {
    return detail::queued("accx_next_target", accx_next_target, after, number_);
  }
  /// Waits for all that is queued; throws if it failed.
  void finish() const { last().get(); }
};

} // namespace accx

#endif // ACCX_OPERATIONS_HPP
