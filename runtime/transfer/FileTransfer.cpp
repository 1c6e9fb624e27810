//===- FileTransfer.cpp - Operations on files -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileTransfer.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileTransfer.h"

#include "device/Device.h"
#include "report/Activity.h"
#include "report/PathBytes.h"
#include "report/Report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace accx;

namespace {

/// One operation.
class FileOperation {
  const bool Out;
  const size_t Size;
  const FilePlace Given;
  const FileSettings &Settings;
  /// Where it is done, and how.
  FilePlace Place;
  struct stat Stat = {};
  bool Appends = false;
  size_t PieceBytes = 0;
  off_t Reserved = 0;

  MoveResult failure(int Error, const std::string &Reason) const;
  int look();
  void settle();
  MoveResult result(const FileMover::Outcome &O, MoveResult R) const;
  std::string what() const;
  void report(int Device, FileMover &M, const std::string &Reason,
              std::string &Detail) const;

public:
  FileOperation(bool Out, size_t Size, FilePlace Place,
                const FileSettings &Settings)
      : Out(Out), Size(Size), Given(Place), Settings(Settings), Place(Place) {}

  MoveResult run(Device *D, accx_queue Queue, Stream S);
};

/// "write of 4096 bytes at offset 0 of /tmp/x"
std::string FileOperation::what() const {
  std::string Text = std::string(Out ? "write" : "read") + " of " +
                     std::to_string(Size) + " bytes";
  if (Place.Offset >= 0)
    Text += " at offset " + std::to_string(Place.Offset);
  const int Fd = Given.Stream ? fileno(Given.Stream) : Given.Fd;
  return Text + " of " +
         (Fd < 0 && Given.Stream ? "a stream without a file"
                                 : descriptorName(Fd));
}

MoveResult FileOperation::failure(int Error, const std::string &Reason) const {
  MoveResult R;
  R.Code = -Error;
  R.Text = what() + ": " + Reason;
  return R;
}

/// Finds out what the descriptor is. Gives an errno.
int FileOperation::look() {
  const int Flags = fcntl(Place.Fd, F_GETFL);
  if (Flags < 0)
    return errno;
  if ((Flags & O_ACCMODE) == (Out ? O_RDONLY : O_WRONLY))
    return EBADF;
  Appends = Out && (Flags & O_APPEND) != 0;
  return fstat(Place.Fd, &Stat) == 0 ? 0 : errno;
}

/// Settles place and pieces.
void FileOperation::settle() {
  PieceBytes = Settings.pieceFor(Size);
  // Such a descriptor writes at the end, wherever one asks it to.
  if (Appends)
    Place.Offset = -1;
  if (Place.Stream || Place.Offset >= 0 || Appends || Size <= PieceBytes ||
      !(S_ISREG(Stat.st_mode) || S_ISBLK(Stat.st_mode)))
    return;
  // Takes the position for the operation, as one call would: what others do
  // next there is behind it.
  const auto Bytes = static_cast<off_t>(Size);
  if (const off_t End = lseek(Place.Fd, Bytes, SEEK_CUR); End >= Bytes) {
    Place.Offset = End - Bytes;
    Reserved = Bytes;
  }
}

MoveResult FileOperation::result(const FileMover::Outcome &O,
                                 MoveResult R) const {
  // Where copies of the device failed, the pipeline knows how far it got.
  if (O.Error || R.Code == 0)
    R.Bytes = O.Bytes;
  if (O.Error) {
    std::string Reason = strerror(O.Error);
    if (O.Bytes)
      Reason += " after " + std::to_string(O.Bytes) + " bytes";
    R.Code = -O.Error;
    R.Text = what() + ": " + Reason;
  } else if (R.Code < 0) {
    R.Text = what() + ": " + R.Text;
  } else if (O.Bytes < Size) {
    const bool HasEnd = Place.Offset >= 0 && S_ISREG(Stat.st_mode);
    R.Code = -ENODATA;
    auto End = static_cast<off_t>(O.Bytes);
    if (struct stat Now = {}; HasEnd)
      End =
          End || fstat(Place.Fd, &Now) != 0 ? Place.Offset + End : Now.st_size;
    R.Text = what() +
             (HasEnd ? ": the file ends after " : ": it ended after ") +
             std::to_string(End) + " bytes";
  }
  return R;
}

/// Counts and tells what went which way. \p Detail lives longer than the
/// activity.
void FileOperation::report(int Device, FileMover &M, const std::string &Reason,
                           std::string &Detail) const {
  constexpr const char *Names[2][NumFilePaths] = {
      {"file read (pool)", "file read (direct)", "file read (ordered)",
       "file read (stream)"},
      {"file write (pool)", "file write (direct)", "file write (ordered)",
       "file write (stream)"}};
  const bool Tells =
      infoEnabled(InfoDataTransfer) || activityEnabled(ActivityKind::Transfer);
  std::string Ways;
  for (int I = 0; I < NumFilePaths; ++I) {
    const auto P = static_cast<FilePath>(I);
    const FileMover::Way W = M.way(P);
    if (!W.Bytes)
      continue;
    countPath(Names[Out][I], Out, W.Bytes, W.Nanoseconds);
    if (!Tells)
      continue;
    char Rate[64];
    snprintf(Rate, sizeof(Rate), " %zu bytes at %.2f GB/s", W.Bytes,
             W.Nanoseconds ? static_cast<double>(W.Bytes) /
                                 static_cast<double>(W.Nanoseconds)
                           : 0.0);
    Ways += (Ways.empty() ? "" : ", ") + std::string(pathName(P)) + Rate;
  }
  if (!Tells)
    return;
  Detail = what() + ": " + (Ways.empty() ? "nothing" : Ways) +
           (Reason.empty() ? "" : " (" + Reason + ")");
  if (infoEnabled(InfoDataTransfer))
    info(Device, "%s", Detail.c_str());
}

MoveResult FileOperation::run(Device *D, accx_queue Queue, Stream S) {
  if (!Place.Stream)
    if (const int Error = look())
      return failure(Error, strerror(Error));
  settle();

  const int Id = D ? D->id() : -1;
  std::string Detail;
  ActivityInfo Info;
  Info.Device = Id;
  Info.What = Out ? "write" : "read";
  Info.Bytes = Size;
  Info.Direction = ActivityInfo::Outside;
  ActivityScope Scope(ActivityKind::Transfer, Info);

  S.PieceBytes = PieceBytes;
  MoveResult R;
  if (Place.Stream || Place.Offset < 0 || Size <= PieceBytes) {
    OrderedFileMover M(Place, Out, Size);
    S.To = &M;
    S.CutsAtRows = true;
    // The next piece is copied while one is moved.
    S.Depth = 2;
    R = runPipeline(D, Queue, {std::move(S)});
    R = result(M.outcome(), std::move(R));
    report(Id, M, Place.Offset >= 0 ? "one piece" : "in order", Detail);
  } else {
    FileChoice Choice(Settings, Place.Fd, Stat, Out, Place.Offset, Size);
    PooledFileMover M(Place, Out, Size, FilePool::get(), FileRing::get(),
                      Choice, /*Helps=*/S.OnHost && !Choice.direct());
    S.To = &M;
    S.Depth = Choice.depth();
    S.CutsAtRows = !Choice.direct();
    // Later pieces begin at pages, of the file and of memory.
    if (const DirectFile *File = Choice.direct())
      if (const size_t In = static_cast<size_t>(Place.Offset) % File->unit())
        S.FirstBytes = File->unit() - In;
    R = runPipeline(D, Queue, {std::move(S)});
    R = result(M.outcome(), std::move(R));
    for (FilePath P : {FilePath::Pool, FilePath::Direct})
      if (const auto W = M.sample(P, size_t(8) << 20); W.Bytes)
        Choice.measured(P, W.Bytes, W.Nanoseconds);
    std::string Reason = Choice.reason();
    if (M.way(FilePath::Direct).Bytes && !FileRing::get().available())
      Reason += ", threads wait: " + FileRing::get().whyNot();
    report(Id, M, Reason, Detail);
  }
  if (Reserved && R.Bytes < Size)
    lseek(Place.Fd, static_cast<off_t>(R.Bytes) - Reserved, SEEK_CUR);
  Scope.detail(Detail);
  return R;
}

} // namespace

MoveResult accx::moveFile(Device *D, accx_queue Queue,
                          std::vector<Section> Sections, bool OnHost, bool Out,
                          FilePlace Place, const FileSettings &Settings) {
  Stream S;
  S.Out = Out;
  S.Sections = std::move(Sections);
  S.OnHost = OnHost;
  size_t Size = 0;
  for (const Section &Part : S.Sections)
    Size += Part.width * Part.height;
  if (Size == 0)
    return {};
  return FileOperation(Out, Size, Place, Settings).run(D, Queue, std::move(S));
}

void accx::stopFileThreads() {
  FilePool::get().stop();
  FileRing::get().stop();
}
