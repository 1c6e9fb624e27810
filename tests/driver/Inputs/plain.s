# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
	.text
	.globl plain
plain:
	ret
	.section .note.GNU-stack,"",@progbits
