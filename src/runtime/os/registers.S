// void unravel_save_registers(wire::Registers*): field order as in wire/control.hpp.
    .text
    .hidden unravel_save_registers
    .globl unravel_save_registers
    .type unravel_save_registers, @function
unravel_save_registers:
    .cfi_startproc
    movq (%rsp), %rax
    movq %rax, 0(%rdi)      // rip: the return address
    leaq 8(%rsp), %rax
    movq %rax, 8(%rdi)      // rsp: after the return
    movq %rbp, 16(%rdi)
    movq %rbx, 24(%rdi)
    movq %r12, 32(%rdi)
    movq %r13, 40(%rdi)
    movq %r14, 48(%rdi)
    movq %r15, 56(%rdi)
    movq $0, 136(%rdi)      // full: 0, the others are not saved
    ret
    .cfi_endproc
    .size unravel_save_registers, .-unravel_save_registers
    .section .note.GNU-stack, "", @progbits
