//===- ForeignOptions.cpp - Options of other compilers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ForeignOptions.h. The options are those of nvc 25 and GCC 12.
//
//===----------------------------------------------------------------------===//

#include "ForeignOptions.h"
#include "Message.h"
#include "Text.h"

#include <algorithm>
#include <filesystem>

namespace accx::driver {

using std::string_view;

namespace {

/// What a sub-option does.
enum class Effect {
  Host,
  Gpu,
  /// Host and GPU devices, as without the option.
  Any,
  /// `Text` is a flag for GPU code.
  GpuFlag,
  /// `Text` is a flag for all code.
  Flag,
  /// `Text` says why there is nothing to do.
  Nothing,
};

/// An option, and Clang's words for it.
struct WholeOption {
  string_view Name, Flags;
};

/// Whose sub-options.
enum class List { Acc, Mp, Gpu, Offload, Target };

/// A processor, and Clang's name for it.
struct Processor {
  string_view Name, Clang;
};

struct SubOption {
  List Of;
  string_view Name;
  Effect What;
  string_view Text;
};

} // namespace

static constexpr string_view AlwaysSo = "it is always so";
static constexpr string_view Separate =
    "device memory is separate: what no clause names is mapped by the "
    "construct, and pointers need a clause";
static constexpr string_view NoSuchCheck = "accx has one set of checks";
static constexpr string_view LeftToClang = "Clang decides";

static constexpr WholeOption WholeOptions[] = {
#define WHOLE(NAME, FLAGS) {NAME, FLAGS},
#include "ForeignOptions.def"
#undef WHOLE
};

static constexpr string_view Tunings[] = {
#define TUNING(NAME) NAME,
#include "ForeignOptions.def"
#undef TUNING
};

static constexpr Processor Processors[] = {
#define PROCESSOR(NAME, CLANG) {NAME, CLANG},
#include "ForeignOptions.def"
#undef PROCESSOR
};

/// Generations as pgcc's -ta=tesla:kepler names them.
static constexpr Processor Generations[] = {
    {"fermi", "sm_20"},  {"kepler", "sm_35"}, {"maxwell", "sm_50"},
    {"pascal", "sm_60"}, {"volta", "sm_70"},
};

static constexpr SubOption SubOptions[] = {
#define SUBOPTION(LIST, NAME, EFFECT, TEXT)                                    \
  {List::LIST, NAME, Effect::EFFECT, TEXT},
#include "ForeignOptions.def"
#undef SUBOPTION
};

static bool isNumber(string_view Text) {
  return !Text.empty() && Text.find_first_not_of("0123456789") == Text.npos;
}

namespace {
/// What one option's values come to.
struct Reading {
  Foreign &Into;
  std::string Became;

  void apply(const SubOption &Sub);
  bool takeGpuValue(string_view Value);
};
} // namespace

void Reading::apply(const SubOption &Sub) {
  const std::string Name(Sub.Name), Text(Sub.Text);
  switch (Sub.What) {
  case Effect::Host:
    Into.NamesDevices = Into.Host = true;
    break;
  case Effect::Gpu:
    Into.NamesDevices = Into.Gpu = true;
    break;
  case Effect::Any:
    Into.NamesDevices = Into.Host = Into.Gpu = true;
    break;
  case Effect::GpuFlag:
    Into.GpuFlags.push_back(Text);
    join(Became, Name + " becomes " + Text + " for GPUs");
    break;
  case Effect::Flag:
    Into.Flags.push_back(Text);
    join(Became, Name + " becomes " + Text);
    break;
  case Effect::Nothing:
    join(Became, Name + " has no effect (" + Text + ")");
    break;
  }
}

/// Those of -gpu that have a number in them.
bool Reading::takeGpuValue(string_view Value) {
  if (Value == "ccnative") {
    Into.NamesDevices = Into.Gpu = true;
    return true;
  }
  if (Value == "ccall" || Value == "ccall-major") {
    addOnce(Into.Architectures, Value == "ccall" ? "every" : "major");
    return true;
  }
  if (const auto *Found =
          std::ranges::find(Generations, Value, &Processor::Name);
      Found != std::end(Generations)) {
    addOnce(Into.Architectures, std::string(Found->Clang));
    return true;
  }
  // cc90, and as -ta has it cc9.0 and cc90+.
  if (Value.starts_with("cc")) {
    std::string Number(Value.substr(2));
    std::erase(Number, '.');
    if (Number.ends_with('+'))
      Number.pop_back();
    if (isNumber(Number) && Number.size() >= 2 && Number.size() <= 3) {
      addOnce(Into.Architectures, "sm_" + Number);
      return true;
    }
  }
  if (Value.starts_with("cuda") && Value.size() > 4) {
    const std::string Folder =
        "/usr/local/cuda-" + std::string(Value.substr(4));
    std::error_code Error;
    if (!isNumber(Value.substr(4, 1)))
      return false;
    if (std::filesystem::is_directory(Folder, Error)) {
      Into.CudaPath = Folder;
      join(Became, std::string(Value) + " becomes --cuda-path=" + Folder);
    } else {
      join(Became, std::string(Value) + " has no effect (there is no " +
                       Folder + "; --cuda-path= names another toolkit)");
    }
    return true;
  }
  for (string_view Name : {"maxregcount:", "tripcount:", "stacklimit:"})
    if (Value.starts_with(Name) &&
        (isNumber(Value.substr(Name.size())) ||
         Value == "stacklimit:nostacklimit" || Name == "tripcount:")) {
      const std::string Number(Value.substr(Name.size()));
      if (Name == "maxregcount:") {
        const std::string Flag = "-Xcuda-ptxas --maxrregcount=" + Number;
        apply({List::Gpu, Value, Effect::GpuFlag, Flag});
      } else
        apply({List::Gpu, Value, Effect::Nothing, LeftToClang});
      return true;
    }
  return false;
}

static const SubOption *lookUp(List Of, string_view Name) {
  const auto *Found =
      std::ranges::find_if(SubOptions, [&](const SubOption &Sub) {
        return Sub.Of == Of && Sub.Name == Name;
      });
  return Found == std::end(SubOptions) ? nullptr : Found;
}

static std::string namesOf(List Of) {
  std::string Names;
  for (const SubOption &Sub : SubOptions)
    if (Sub.Of == Of)
      Names += (Names.empty() ? "" : ", ") + std::string(Sub.Name);
  return Names;
}

static void readList(Reading &R, string_view Option, string_view Values,
                     List Of) {
  for (string_view Value : splitAtCommas(Values))
    if (const SubOption *Sub = lookUp(Of, Value))
      R.apply(*Sub);
    else
      failUnknown(Option, Value, namesOf(Of));
}

static constexpr const char *GpuValues =
    "cc<number> such as cc90, ccall, ccall-major, ccnative, "
    "cuda<version>, maxregcount:<number>, stacklimit:<number>, "
    "tripcount:<...>, ";

static void readGpu(Reading &R, string_view Option, string_view Values) {
  for (string_view Value : splitAtCommas(Values))
    if (const SubOption *Sub = lookUp(List::Gpu, Value))
      R.apply(*Sub);
    else if (!R.takeGpuValue(Value))
      failUnknown(Option, Value, GpuValues + namesOf(List::Gpu));
}

/// The old -ta=tesla:cc80,managed: devices, and -gpu's behind a colon.
static void readAccelerator(Reading &R, string_view Option,
                            string_view Values) {
  for (string_view Value : splitAtCommas(Values)) {
    const size_t Colon = Value.find(':');
    const string_view Device = Value.substr(0, Colon);
    if (Device == "tesla" || Device == "nvidia" || Device == "gpu") {
      R.apply({List::Gpu, Device, Effect::Gpu, ""});
      if (Colon != Value.npos)
        readGpu(R, Option, Value.substr(Colon + 1));
    } else if (Device == "host" || Device == "multicore") {
      R.apply({List::Gpu, Device, Effect::Host, ""});
    } else if (const SubOption *Sub = lookUp(List::Gpu, Value)) {
      R.apply(*Sub);
    } else if (!R.takeGpuValue(Value)) {
      failUnknown(Option, Value,
                  "tesla, nvidia, gpu, host, multicore, and behind tesla: " +
                      std::string(GpuValues) + namesOf(List::Gpu));
    }
  }
}

/// GCC's target of code alone, or options for such a target's compiler.
static void readOffload(Reading &R, string_view Option, string_view Values) {
  const size_t Equals = Values.find("=-");
  if (Values.starts_with("-") || Equals != Values.npos) {
    join(R.Became, "it has no effect (it is for GCC's device compiler; "
                   "-Xopenmp-target is Clang's)");
    return;
  }
  readList(R, Option, Values, List::Offload);
}

/// The first Clang for GPUs had -omptargets=nvptx64sm_35-nvidia-linux.
static void readTriples(Reading &R, string_view Values) {
  for (string_view Value : splitAtCommas(Values)) {
    const bool IsGpu = Value.starts_with("nvptx");
    R.apply({List::Target, Value, IsGpu ? Effect::Gpu : Effect::Host, ""});
    if (const size_t At = Value.find("sm_"); IsGpu && At != Value.npos)
      addOnce(R.Into.Architectures,
              std::string(Value.substr(At, Value.find('-', At) - At)));
  }
}

/// nvc -tp=haswell-64; of several processors code is made for the first.
static void readProcessor(Reading &R, string_view Values) {
  string_view Value = Values.substr(0, Values.find(','));
  for (string_view Bits : {"-64", "-32"})
    if (Value.ends_with(Bits))
      Value.remove_suffix(Bits.size());
  const auto *Found = std::ranges::find(Processors, Value, &Processor::Name);
  if (Found == std::end(Processors)) {
    std::string Known;
    for (const Processor &P : Processors)
      Known += (Known.empty() ? "" : ", ") + std::string(P.Name);
    failUnknown("-tp", Value, Known);
  }
  R.Became = "-march=" + std::string(Found->Clang);
  R.Into.Flags.push_back(R.Became);
}

/// Whether it is one of nvc's -M and -K options that Clang has no need of.
static bool isTuning(string_view Name) {
  if (Name == "-Ktrap" || Name == "-Knoieee")
    return true;
  if (!Name.starts_with("-M"))
    return false;
  Name.remove_prefix(2);
  const auto Knows = [](string_view Word) {
    return std::ranges::find(Tunings, Word) != std::end(Tunings);
  };
  return Knows(Name) || (Name.starts_with("no") && Knows(Name.substr(2)));
}

bool Foreign::take(string_view Option) {
  const size_t Equals = Option.find('=');
  const string_view Name = Option.substr(0, Equals);
  const bool HasValue = Equals != Option.npos;
  const string_view Value = HasValue ? Option.substr(Equals + 1) : "";
  const Foreign Before = *this;
  Reading R{*this, ""};
  if (Name == "-acc") {
    NamesDevices = true;
    if (!HasValue)
      Host = Gpu = true;
    readList(R, Name, Value, List::Acc);
  } else if (Name == "-gpu" && HasValue) {
    readGpu(R, Name, Value);
  } else if (Name == "-ta" && HasValue) {
    readAccelerator(R, Name, Value);
  } else if (Name == "-mp") {
    readList(R, Name, Value, List::Mp);
    if (!HasValue)
      join(R.Became, "OpenMP is always on");
  } else if (Name == "-target" && HasValue) {
    readList(R, Name, Value, List::Target);
  } else if (Name == "-omptargets" && HasValue) {
    readTriples(R, Value);
  } else if (Name == "-tp" && HasValue) {
    readProcessor(R, Value);
  } else if (Name == "-Minfo" || Name == "-Mneginfo") {
    R.Became = takeRemarks(Name, Value);
  } else if (const auto *Whole =
                 std::ranges::find(WholeOptions, Option, &WholeOption::Name);
             Whole != std::end(WholeOptions)) {
    R.Became = Whole->Flags;
    for (string_view Rest = Whole->Flags; !Rest.empty();) {
      const size_t End = std::min(Rest.find(' '), Rest.size());
      Flags.emplace_back(Rest.substr(0, End));
      Rest.remove_prefix(std::min(End + 1, Rest.size()));
    }
  } else if (isTuning(Name)) {
    R.Became = "it has no effect (" + std::string(LeftToClang) + ")";
  } else if (Name == "-fopenacc-dim" && HasValue) {
    R.Became = "it has no effect (num_gangs, num_workers and vector_length say "
               "it at the construct)";
  } else if ((Name == "-foffload" || Name == "-foffload-options") && HasValue) {
    readOffload(R, Name, Value);
  } else {
    return false;
  }
  const bool Chooses = Name == "-acc" ||
                       Architectures != Before.Architectures ||
                       NamesDevices != Before.NamesDevices ||
                       Host != Before.Host || Gpu != Before.Gpu;
  Fates.push_back({std::string(Option), std::move(R.Became), Chooses});
  return true;
}

} // namespace accx::driver
