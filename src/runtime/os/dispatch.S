// The end of our handler of SIGSYS. It lies in our own code, whose system calls are not caught; that
// of the C library lies in the C library.
    .text
    .hidden unravel_return_from_signal
    .globl unravel_return_from_signal
    .type unravel_return_from_signal, @function
unravel_return_from_signal:
    movl $15, %eax          // rt_sigreturn
    syscall
    hlt
    .size unravel_return_from_signal, . - unravel_return_from_signal

    .section .note.GNU-stack, "", @progbits
