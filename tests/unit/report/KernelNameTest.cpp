// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' symbols as people read them.

#include "report/KernelName.h"

#include <catch2/catch.hpp>

using namespace accx;

namespace {

const Ident Here = {0, 0, 0, 0, ";dir/solver.c;f;41;3;;"};

std::string label(const std::string &Symbol) {
  return kernelLabel(("__omp_offloading_" + Symbol).c_str(), &Here);
}

} // namespace

TEST_CASE("A kernel's label is its construct's place and its function") {
  CHECK(label("fe00_a72_jacobi_l41") == "solver.c:41 jacobi");
  CHECK(label("fe00_a72__Z6jacobiPdi_l41") == "solver.c:41 jacobi");
  CHECK(label("fe00_a72__ZN2ns5Solve3runEv_l41") ==
        "solver.c:41 ns::Solve::run");
  CHECK(label("fe00_a72__Z5solveIdEvPT_i_l41") == "solver.c:41 solve<double>");
  CHECK(label("fe00_a72__ZNK1SclEi_l41") == "solver.c:41 S::operator()(int) "
                                            "const");
}

TEST_CASE("Kernels of one line are told apart") {
  CHECK(label("fe00_a72_main_l41_1") == "solver.c:41 main #1");
  CHECK(label("fe00_a72_main_l41_accx_final") == "solver.c:41 main accx_final");
}

TEST_CASE("Function names that look like the line's part are kept") {
  CHECK(label("fe00_a72_a_l5_b_l41") == "solver.c:41 a_l5_b");
  CHECK(label("fe00_a72_x_l_l41") == "solver.c:41 x_l");
}

TEST_CASE("Without a place the line of the symbol is given") {
  CHECK(kernelLabel("__omp_offloading_fe00_a72_jacobi_l41", nullptr) ==
        "jacobi, line 41");
  CHECK(kernelPhrase("__omp_offloading_fe00_a72_jacobi_l41") ==
        "kernel 'jacobi' of line 41");
  CHECK(kernelPhrase("plain") == "kernel 'plain'");
}

TEST_CASE("Symbols that are not clang's stay as they are") {
  for (const char *Symbol :
       {"kernel_a", "__omp_offloading_", "__omp_offloading_zz_a_main_l4",
        "__omp_offloading_fe00_a72_main", "__omp_offloading_fe00_a72_main_l",
        "__omp_offloading_fe00_a72_main_l99999999999999", ""})
    CHECK(kernelLabel(Symbol, nullptr) == (*Symbol ? Symbol : "unknown"));
}
