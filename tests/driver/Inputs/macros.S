// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NAME macros
	.text
	.globl NAME
NAME:
	ret
	.section .note.GNU-stack,"",@progbits
