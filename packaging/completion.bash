# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash-completion of accxcc and accxc++: options of accx's, of nvc's that it
# takes, and Clang's own, which Clang lists; files otherwise.

_accxcc() {
  local word=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} own clang
  # = breaks words; options are whole.
  local option=${line##* }
  own="--accx-targets=host --accx-show --accx-show=compile --accx-show=link
    --accx-help -acc -acc=gpu -acc=multicore -acc=host -gpu=ccnative -gpu=ccall
    -Minfo -Minfo=accel -Minfo=all -Mneginfo=accel -mp=gpu -fast -fopenacc"
  COMPREPLY=()
  if [[ $option == -* ]]; then
    clang=$(clang-19 "--autocomplete=$option" 2>/dev/null | cut -f 1)
    mapfile -t COMPREPLY < <(compgen -W "$own $clang" -- "$option")
    # What stands in front of the = is on the line already.
    if [[ $option == *=* ]]; then
      COMPREPLY=("${COMPREPLY[@]#"${option%=*}="}")
    fi
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o filenames -F _accxcc accxcc accxc++
