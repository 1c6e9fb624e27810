//===- ImageFile.cpp - An image in the hands of the loader ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as anonymous files, opened through the descriptor's name, or as files
// in a folder where a tool needs that.
//
//===----------------------------------------------------------------------===//

#include "ImageFile.h"
#include "ImageFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif

/// An empty file that nobody else can open by name. Systems that forbid
/// executable anonymous files get a temporary one.
static int createFile() {
  int Descriptor = memfd_create("accx-image", MFD_CLOEXEC | MFD_EXEC);
  if (Descriptor < 0 && errno == EINVAL) // before Linux 6.3
    Descriptor = memfd_create("accx-image", MFD_CLOEXEC);
  if (Descriptor >= 0)
    return Descriptor;
  const char *Folder = std::getenv("TMPDIR");
  std::string Path =
      std::string(Folder && *Folder ? Folder : "/tmp") + "/accx-image-XXXXXX";
  Descriptor = mkostemp(Path.data(), O_CLOEXEC);
  if (Descriptor >= 0)
    unlink(Path.c_str());
  return Descriptor;
}

/// A name of the descriptor that debuggers and symbolizers can open, too, which
/// are other processes: "self" is another one there. The link knows this
/// process's number in the name space of /proc, which may be another one.
static std::string pathOf(int Descriptor) {
  char Self[32];
  ssize_t Length = readlink("/proc/self", Self, sizeof(Self));
  std::string Process = Length > 0 && size_t(Length) < sizeof(Self)
                            ? std::string(Self, size_t(Length))
                            : "self";
  return "/proc/" + Process + "/fd/" + std::to_string(Descriptor);
}

accx_status ImageFile::write(const std::vector<uint8_t> &Bytes) {
  for (size_t Done = 0; Done < Bytes.size();) {
    ssize_t Written =
        ::write(Descriptor, Bytes.data() + Done, Bytes.size() - Done);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return fail(ACCX_ERROR_OUT_OF_MEMORY,
                  "cannot write %zu bytes of image: %s", Bytes.size(),
                  std::strerror(errno));
    Done += size_t(Written);
  }
  return ACCX_OK;
}

accx_status ImageFile::open() {
  // All names at once, so that no kernel stops in the middle for a missing
  // one; an image with a name that only code that never runs asks for is
  // loaded all the same.
  Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    Handle = dlopen(Path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (Handle)
    return ACCX_OK;
  const char *Why = dlerror();
  return fail(ACCX_ERROR_IMAGE, "cannot load the image: %s",
              Why ? Why : "unknown reason");
}

bool ImageFile::loadNamed(const std::vector<uint8_t> &Bytes) {
  const NamedFile File = createNamedImage();
  Descriptor = File.Descriptor;
  if (Descriptor < 0)
    return false;
  Path = File.Path;
  const bool Loaded = write(Bytes) == ACCX_OK && open() == ACCX_OK;
  if (!Loaded || File.Life == FileLife::Loading)
    unlink(Path.c_str());
  if (!Loaded) {
    close(Descriptor);
    Descriptor = -1;
  }
  return Loaded;
}

accx_status ImageFile::load(const std::vector<uint8_t> &Bytes) {
  // Folders may be full, or refuse to let code run.
  if (loadNamed(Bytes))
    return ACCX_OK;
  Descriptor = createFile();
  if (Descriptor < 0)
    return fail(ACCX_ERROR_UNKNOWN, "cannot create a file for the image: %s",
                std::strerror(errno));
  if (accx_status S = write(Bytes))
    return S;
  Path = pathOf(Descriptor);
  return open();
}

uintptr_t ImageFile::base() const {
  struct link_map *Map = nullptr;
  dlinfo(Handle, RTLD_DI_LINKMAP, &Map);
  return Map->l_addr;
}

ImageFile::~ImageFile() {
  if (Handle) {
    dlclose(Handle);
    // Something else may still hold the object, a destructor of thread-local
    // data for instance: then its name must not be used again.
    if (void *Still = dlopen(Path.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      dlclose(Still);
      return;
    }
  }
  if (Descriptor >= 0)
    close(Descriptor);
}
