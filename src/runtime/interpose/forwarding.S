// Functions that are passed on with their arguments unchanged, whatever they are. Each jumps to
// unravel_forward with its row (struct Forwarded of forwarding.cpp) in r11, which carries no
// argument.
#define UNRAVEL_WARNED(name) UNRAVEL_FORWARDED(name)
#define UNRAVEL_TO_STDERR(name) UNRAVEL_FORWARDED(name)
// A jump, so that the other function sees where the program called it.
#define UNRAVEL_OTHER_NAME(name, of)      \
    .globl name;                          \
    .type name, @function;                \
name:                                     \
    .cfi_startproc;                       \
    endbr64;                              \
    jmp of@PLT;                           \
    .cfi_endproc;                         \
    .size name, .-name;
#define UNRAVEL_FORWARDED(name)           \
    .globl name;                          \
    .type name, @function;                \
name:                                     \
    .cfi_startproc;                       \
    endbr64;                              \
    leaq unravel_forwarded_##name(%rip), %r11; \
    jmp unravel_forward;                  \
    .cfi_endproc;                         \
    .size name, .-name;

    .text
#include "runtime/interpose/forwarded_functions.inc"

    .type unravel_forward, @function
unravel_forward:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset 6, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register 6
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %rax              // al: how many vector registers a variadic call uses
    pushq %r10
    subq $128, %rsp
    movaps %xmm0, 0(%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movq %r11, %rdi
    movq 8(%rbp), %rsi      // where the program called it
    call unravel_before_forwarding
    movq %rax, %r11
    movaps 0(%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    addq $128, %rsp
    popq %r10
    popq %rax
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rbp
    .cfi_def_cfa 7, 8
    jmp *%r11
    .cfi_endproc
    .size unravel_forward, .-unravel_forward
    .section .note.GNU-stack, "", @progbits
