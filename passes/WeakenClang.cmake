# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links OBJECTS (separated by bars) into one relocatable object OUTPUT in which every
# undefined symbol of clang:: is weak: null where the loading tool has no Clang.
string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
execute_process(
  COMMAND "${LINKER}" -nostdlib -r -o "${OUTPUT}.strong.o" ${OBJECTS}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${NM}" -u "${OUTPUT}.strong.o"
  OUTPUT_VARIABLE Undefined
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]*5clang[^ \n]*" Symbols "${Undefined}")
# Functions of our own take Clang's types, too; one that is missing is an error.
list(FILTER Symbols EXCLUDE REGEX "4accx")
list(REMOVE_DUPLICATES Symbols)
list(JOIN Symbols "\n" Lines)
file(WRITE "${OUTPUT}.symbols" "${Lines}\n")
execute_process(
  COMMAND "${OBJCOPY}" "--weaken-symbols=${OUTPUT}.symbols"
    "${OUTPUT}.strong.o" "${OUTPUT}"
  COMMAND_ERROR_IS_FATAL ANY)
