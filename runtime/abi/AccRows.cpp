//===- AccRows.cpp - Tables of pointers to rows ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clause's a[0:n][0:m] where `a` points to pointers names n rows that lie
// anywhere, and the table of pointers to them. No map clause of OpenMP 5.1 says
// that, so the front end calls these around the construct: the table is mapped
// as a struct whose members are its pointers' objects.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "abi/AccProf.h"
#include "distribute/Update.h"
#include "mapping/Constructs.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Prof.h"

#include <vector>

using namespace accx;
using acc::Routine;

namespace {

/// Codes of the front end, see passes/frontend/plan/Rows.cpp.
enum RowBits {
  RowTo = 1,
  RowFrom = 2,
  RowDelete = 8,
  RowHold = 16,
  RowIfPresent = 32
};

struct RowItems {
  std::vector<void *> Bases, Begins, Names;
  std::vector<int64_t> Sizes, Types;

  void add(void *Base, void *Begin, size_t Size, uint64_t Type, void *Name) {
    Bases.push_back(Base);
    Begins.push_back(Begin);
    Sizes.push_back(static_cast<int64_t>(Size));
    Types.push_back(static_cast<int64_t>(Type));
    Names.push_back(Name);
  }
  MapArrays view() {
    return {static_cast<int32_t>(Bases.size()),
            Bases.data(),
            Begins.data(),
            Sizes.data(),
            Types.data(),
            Names.data(),
            nullptr};
  }
};

struct RowConstruct {
  const char *What;
  ompt_target_t Tool;
  acc_event_t Event;
  Status (*Run)(Construct, const MapArrays &);
};

/// \p Table: its first pointer of \p Count. Rows begin \p Skip bytes behind
/// where the pointers point, and have \p Bytes. A null pointer has no row.
void onRows(const Routine &Self, const RowConstruct &Kind, void **Table,
            size_t Count, size_t Skip, size_t Bytes, uint64_t TableType,
            uint64_t RowType, bool Attach) {
  Device *D = acc::currentDevice(Self);
  if (!D || !Table || Count == 0)
    return;
  auto *Name = const_cast<char *>(Self.Name);
  RowItems Items;
  if (TableType != MapLiteral)
    Items.add(Table, Table, Count * sizeof(*Table), TableType, Name);
  for (size_t I = 0; I < Count && Bytes; ++I) {
    if (!Table[I])
      continue;
    char *Begin = static_cast<char *>(Table[I]) + Skip;
    if (Attach)
      Items.add(&Table[I], Begin, Bytes,
                RowType | MapPtrAndObj | uint64_t(1) << 48, Name);
    else
      Items.add(Begin, Begin, Bytes, RowType, Name);
  }
  ActivityInfo Activity;
  Activity.Device = D->id();
  Activity.What = Kind.What;
  Activity.Loc = &Self.Loc;
  ActivityScope Scope(ActivityKind::Region, Activity);
  ompt::RegionScope Region(Kind.Tool, D->id(), ompt::returnAddress());
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.construct(Kind.Event,
                   {acc_construct_data, D->id(), &Self.Loc, currentAsync()});
  if (Status S = Kind.Run({*D, &Self.Loc}, Items.view()); S.failed())
    acc::fail(Self, "%zu rows of the table at %p on device %d: %s", Count,
              static_cast<void *>(Table), D->id(), S.text().c_str());
}

uint64_t common(int Bits) {
  return (Bits & RowHold ? MapOmpxHold : 0) |
         (Bits & RowDelete ? MapDelete : 0);
}

} // namespace

/// Maps the table and its rows. Thread-safe, as the two below.
ACCX_ABI void __accx_rows_enter(void *Table, size_t Count, size_t Skip,
                                size_t Bytes, int Bits) {
  ACCX_ROUTINE(sub - array of rows);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  onRows(Self,
         {"data begin", ompt_target_enter_data, acc_ev_enter_data_start,
          dataBegin},
         static_cast<void **>(Table), Count, Skip, Bytes, MapTo | common(Bits),
         (Bits & RowTo ? MapTo : 0) | common(Bits), /*Attach=*/true);
}

/// Ends what the other began; the host's pointers stay as they are.
ACCX_ABI void __accx_rows_exit(void *Table, size_t Count, size_t Skip,
                               size_t Bytes, int Bits) {
  ACCX_ROUTINE(sub - array of rows);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  onRows(Self,
         {"data end", ompt_target_exit_data, acc_ev_exit_data_start, dataEnd},
         static_cast<void **>(Table), Count, Skip, Bytes, common(Bits),
         (Bits & RowFrom ? MapFrom : 0) | common(Bits), /*Attach=*/false);
}

/// Copies the rows to or from the device, where they are.
ACCX_ABI void __accx_rows_update(void *Table, size_t Count, size_t Skip,
                                 size_t Bytes, int Bits) {
  ACCX_ROUTINE(sub - array of rows);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  onRows(Self,
         {"update", ompt_target_update, acc_ev_update_start, updateEverywhere},
         static_cast<void **>(Table), Count, Skip, Bytes, MapLiteral,
         (Bits & RowTo ? MapTo : MapFrom) |
             (Bits & RowIfPresent ? 0 : MapPresent),
         /*Attach=*/false);
}
