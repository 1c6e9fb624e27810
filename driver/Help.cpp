//===- Help.cpp - --accx-help and --version -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Help.h.
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "Clang.h"
#include "DriverConfig.h"
#include "Layout.h"
#include "Message.h"
#include "Process.h"
#include "Targets.h"

#include <cstdio>

namespace accx::driver {

void printHelp(const Layout &Here, const Clang &Compiler) {
  const bool IsCxx = programName().ends_with("++");
  std::printf(
      R"(%s: %s with OpenACC and OpenMP offloading by accx %s

Takes what %s takes, adds flags, and becomes it. Options of its own:
  --accx-targets=LIST      what to compile for, separated by commas: host and
                           GPU architectures such as sm_90
  --accx-check             kernels of host devices ask about what they access;
                           so does ACCX_CHECK=1 in the environment
  --accx-info              what became of each loop and construct: a block each
                           for each target, with all that was done and was not
  --accx-show              print the command, run nothing
  --accx-show=compile      print only the flags added to compile
  --accx-show=link         print only the flags added to link
  --accx-help              this text
  -facc-implicit-reductions
                           sums and the like in parallel loops without a
                           reduction clause are reductions
  -facc-bare-lengths       'a[n]' in a data clause is 'a[0:n]', as with older
                           compilers, not one element

Targets of -fopenmp-targets= or --offload-arch= take the place of the default.

Options of other compilers, taken; a note says what each became, -w silences it:
  -acc[=gpu|multicore|host]   devices to compile for, as nvc and nvc++ have it
  -gpu=cc90,...               GPUs, and options of their code
  -ta=..., -mp[=gpu]          older and OpenMP's forms of these
  -Minfo[=accel|vect|all]     remarks: what became of each directive and loop
  -Mneginfo[=...]             remarks of what was not done
  -fast                       -O3 -march=native
  -fopenacc, -foffload=...    gcc's

Environment:
  %-24s another Clang 19 to use
  CUDA_PATH, CUDA_HOME     the CUDA toolkit, where --cuda-path= is not given

On this machine:
)",
      programName().c_str(), IsCxx ? "clang++-19" : "clang-19", ACCX_VERSION,
      IsCxx ? "clang++-19" : "clang-19", IsCxx ? "ACCX_CXX" : "ACCX_CC");
  const Targets Default = Targets::ofThisMachine("", Compiler);
  std::string Names = "host";
  for (const std::string &Gpu : Default.Gpus)
    Names += "," + Gpu;
  if (!Default.LeftOut.empty())
    Names += " (" + Default.LeftOut + ")";
  const CudaSearch Search = CudaSearch::run("");
  const std::string Cuda = Search.Found ? Search.Found->Path + " (" +
                                              Search.Found->versionText() + ")"
                                        : "none";
  std::printf("  compiler                 %s\n"
              "  libraries                %s\n"
              "  default targets          %s\n"
              "  CUDA toolkit             %s\n",
              Compiler.Path.c_str(), Here.Lib.c_str(), Names.c_str(),
              Cuda.c_str());
}

void printVersion(const Clang &Compiler) {
  const auto Answer = outputOf({Compiler.Path, "--version"});
  if (!Answer)
    fail(Compiler.Path + " --version fails");
  // Build systems take the first number they see for the compiler's version, so
  // Clang's stands in front of accx's.
  constexpr const char *Lead = "clang version ";
  const size_t Found = Answer->find(Lead);
  std::string Number = "19";
  if (Found != std::string::npos) {
    const size_t Begin = Found + std::char_traits<char>::length(Lead);
    Number = Answer->substr(
        Begin, Answer->find_first_not_of("0123456789.", Begin) - Begin);
  }
  std::printf("%s for clang %s, accx %s\n%s", programName().c_str(),
              Number.c_str(), ACCX_VERSION, Answer->c_str());
}

} // namespace accx::driver
