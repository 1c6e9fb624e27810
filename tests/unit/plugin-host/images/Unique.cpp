// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image with C++ objects: a static one with constructor and destructor, and
// one of the kind that some compilers make unique in the process.

struct Object {
  int Value;
  int *Mark = nullptr;
  Object() : Value(11) {}
  ~Object() {
    if (Mark)
      *Mark += Value;
  }
};

Object object;

template <typename T> struct Holder {
  static int value;
};
template <typename T> int Holder<T>::value = 7;

extern "C" {
void kernel_mark(int *Mark) { object.Mark = Mark; }
void kernel_bump(int *Out) {
  *Out = ++Holder<int>::value;
  object.Value += 1;
}
}

// GNU assembler's word for it; Clang makes plain weak symbols of templates.
asm(".type unique_value, @gnu_unique_object\n"
    ".data\n"
    ".balign 4\n"
    "unique_value: .long 21\n"
    ".size unique_value, 4\n"
    ".text\n");
