//===- Regions.h - A function as nested acyclic regions ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is a function or a loop, without the edges back to its header; the
// loops inside it are single nodes. Nodes are in a topological order in which
// what a node dominates stands right behind it: the order in which linearized
// code executes them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_REGIONS_H
#define ACCX_VECTOR_WHOLE_REGIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace accx::vector {

struct RegionNode {
  /// The block, or the header of the loop that the node stands for.
  llvm::BasicBlock *Entry = nullptr;
  llvm::Loop *Inner = nullptr;
  /// Nodes of this region, each once; `end()` for the way back or out.
  llvm::SmallVector<unsigned, 4> Successors;
  /// Through which all ways from the header come; the header's is itself.
  unsigned Dominator = 0;
  /// Where all ways from here meet again; `end()` if only outside.
  unsigned PostDominator = 0;
};

struct Region {
  /// Null for the function.
  llvm::Loop *Cycle = nullptr;
  Region *Parent = nullptr;
  std::vector<RegionNode> Nodes;

  unsigned end() const { return Nodes.size(); }
  /// The node that has the block, which lies in the region at any depth;
  /// `end()` for other blocks and for the header as a target of inner edges.
  unsigned target(const llvm::BasicBlock *B) const {
    auto It = Index.find(B);
    return It == Index.end() || It->second == 0 ? end() : It->second;
  }
  unsigned indexOf(const llvm::BasicBlock *B) const {
    return Index.find(B)->second;
  }
  bool contains(const llvm::BasicBlock *B) const { return Index.contains(B); }

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Index;
};

/// All regions, outer ones first.
class Regions {
public:
  Regions(llvm::Function &F, const llvm::DominatorTree &DT,
          const llvm::LoopInfo &LI);

  llvm::ArrayRef<std::unique_ptr<Region>> all() const { return List; }
  Region &of(const llvm::Loop *Cycle) const {
    return *ByLoop.find(Cycle)->second;
  }
  /// The innermost one that has the block.
  Region &around(const llvm::BasicBlock *B) const;
  const llvm::LoopInfo &loops() const { return LI; }

private:
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
  std::vector<std::unique_ptr<Region>> List;
  llvm::DenseMap<const llvm::Loop *, Region *> ByLoop;

  void build(llvm::Function &F, llvm::Loop *Cycle, Region *Parent);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_REGIONS_H
