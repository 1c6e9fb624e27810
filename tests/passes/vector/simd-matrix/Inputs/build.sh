#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# build.sh CLANG PLUGIN OUTPUT FLAGS...: both builds of every type in one program.
set -euo pipefail
clang=$1 plugin=$2 output=$3
shift 3
here=$(dirname "${BASH_SOURCE[0]}")
work=$output.dir
mkdir -p "$work"
: >"$work/types.def"
objects=()
for type in float:f double:f int:i; do
  name=${type%:*}
  echo "BUILD($name, '${type#*:}')" >>"$work/types.def"
  options=("$@" -fwrapv "-DT=$name" -c "$here/matrices.c")
  "$clang" "${options[@]}" "-DTABLE=plain_$name" -o "$work/plain_$name.o" \
    ${PLAIN_FLAGS:-}
  "$clang" "${options[@]}" "-DTABLE=ours_$name" -o "$work/ours_$name.o" \
    "-fplugin=$plugin" "-fpass-plugin=$plugin" ${OUR_FLAGS:-}
  objects+=("$work/plain_$name.o" "$work/ours_$name.o")
done
"$clang" -O1 "-I$work" "$here/compare.c" "${objects[@]}" -o "$output"
