// void unravel_call_on_stack(void (*function)(int, siginfo_t*, void*), int, siginfo_t*, void*,
//                            void* stack): calls `function` on the stack that ends at `stack`.
    .text
    .hidden unravel_call_on_stack
    .globl unravel_call_on_stack
    .type unravel_call_on_stack, @function
unravel_call_on_stack:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp         // to return by, and to unwind by
    .cfi_def_cfa_register %rbp
    movq %r8, %rsp
    andq $-16, %rsp
    movq %rdi, %rax
    movl %esi, %edi
    movq %rdx, %rsi
    movq %rcx, %rdx
    call *%rax
    movq %rbp, %rsp
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size unravel_call_on_stack, .-unravel_call_on_stack
    .section .note.GNU-stack, "", @progbits
