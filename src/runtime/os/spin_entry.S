// The driver makes a thread that spins in a loop continue here, on its own stack: the 128 bytes
// below its stack pointer may be in use, so the return address is below them. All registers are
// restored: the thread was stopped between two instructions, not at a call.
    .text
    .hidden unravel_spin_entry
    .globl unravel_spin_entry
    .type unravel_spin_entry, @function
unravel_spin_entry:
    .cfi_startproc
    .cfi_def_cfa_offset 8
    pushfq
    .cfi_adjust_cfa_offset 8
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset 6, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register 6
    pushq %rax
    pushq %rbx
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    cld
    // The size of all vector registers that the system has enabled.
    movl $0x0d, %eax
    xorl %ecx, %ecx
    cpuid
    movl %ebx, %ebx
    subq %rbx, %rsp
    andq $-64, %rsp
    movq %rsp, %r12
    xorl %eax, %eax
    movq %rax, 512(%r12)    // the rest of the header, which xsave does not write, must be 0
    movq %rax, 520(%r12)
    movq %rax, 528(%r12)
    movq %rax, 536(%r12)
    movq %rax, 544(%r12)
    movq %rax, 552(%r12)
    movq %rax, 560(%r12)
    movq %rax, 568(%r12)
    movl $-1, %eax
    movl $-1, %edx
    xsave64 (%r12)
    movq 16(%rbp), %rdi     // where it spins
    call unravel_on_spin
    movl $-1, %eax
    movl $-1, %edx
    xrstor64 (%r12)
    leaq -112(%rbp), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rbx
    popq %rax
    popq %rbp
    .cfi_def_cfa 7, 16
    popfq
    .cfi_adjust_cfa_offset -8
    ret $128
    .cfi_endproc
    .size unravel_spin_entry, .-unravel_spin_entry
    .section .note.GNU-stack, "", @progbits
