// The end of our handler of SIGSYS. It lies in our own code, whose system calls are not caught; that
// of the C library lies in the C library.
//
// Unwinders find the interrupted thread's registers by the table below: the stack pointer is at the
// ucontext_t here, and each register is saved at a fixed place of it.

// A register, by its number in DWARF, is saved at the stack pointer plus `offset`. Offsets take two
// bytes (SLEB128), which is enough up to 8191.
.macro saved register, offset
    .cfi_escape 0x10, \register, 3, 0x77, (\offset & 0x7f) | 0x80, \offset >> 7
.endm

    .text
    .hidden unravel_return_from_signal
    .globl unravel_return_from_signal
    .type unravel_return_from_signal, @function
    .cfi_startproc simple
    .cfi_signal_frame
    // The caller's stack pointer is what is saved as such.
    .cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
    saved 8, 40    // r8 to r15
    saved 9, 48
    saved 10, 56
    saved 11, 64
    saved 12, 72
    saved 13, 80
    saved 14, 88
    saved 15, 96
    saved 5, 104   // rdi
    saved 4, 112   // rsi
    saved 6, 120   // rbp
    saved 3, 128   // rbx
    saved 1, 136   // rdx
    saved 0, 144   // rax
    saved 2, 152   // rcx
    saved 7, 160   // rsp
    saved 16, 168  // rip
    nop            // unwinders look for the code before the return address
unravel_return_from_signal:
    movl $15, %eax          // rt_sigreturn
    syscall
    hlt
    .cfi_endproc
    .size unravel_return_from_signal, . - unravel_return_from_signal

    .section .note.GNU-stack, "", @progbits
