#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Looks like ptxas: copies its input to its output, and with -v says of each
# kernel what the comments ahead of it give. One whose bound is in the input has
# the usage of "bounded".
#   // NAME REGISTERS SPILLED bounded REGISTERS SPILLED
while (($#)); do
  case $1 in
  --output-file) output=$2 && shift ;;
  --gpu-name) shift ;;
  -v) says=1 ;;
  *.s) input=$1 ;;
  esac
  shift
done
echo "ptxas warning : something to know" >&2
awk -v says="$says" '
  /^\/\/ / && $5 == "bounded" { r[$2] = $3; s[$2] = $4; br[$2] = $6; bs[$2] = $7 }
  /\.entry/ { name = $3; sub(/\(.*/, "", name) }
  /\.minnctapersm/ { r[name] = br[name]; s[name] = bs[name] }
  /^}/ && says {
    print "ptxas info    : Compiling entry function \047" name "\047 for \047sm_90\047"
    print "ptxas info    : Function properties for callee"
    print "    0 bytes stack frame, 999 bytes spill stores, 0 bytes spill loads"
    print "ptxas info    : Function properties for " name
    print "    0 bytes stack frame, " s[name] " bytes spill stores, 0 bytes spill loads"
    print "ptxas info    : Used " r[name] " registers, used 0 barriers, " (name ~ /shared/ ? 120000 : 16) " bytes smem"
  }
  r[name] == "fails" { print "ptxas fatal   : no such luck"; exit 7 }
' "$input" >&2 || exit 7
cp "$input" "$output"
