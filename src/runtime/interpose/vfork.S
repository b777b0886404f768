// pid_t vfork(void). The child runs on this very stack and returns first, so nothing on the stack
// outlives the call. The return address is kept in a register, which the kernel saves for both.
    .text
    .globl vfork
    .type vfork, @function
    .globl __vfork
    .type __vfork, @function
vfork:
__vfork:
    .cfi_startproc
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq 8(%rsp), %rdi
    call unravel_before_vfork   // returns whether the thread is under control
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    testb %al, %al
    jz 1f
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax              // SYS_vfork
    syscall
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rip, 0
    movq %rdi, %rsi
    movq %rax, %rdi
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call unravel_after_vfork    // returns the result: in the child first, then in the parent
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    ret
1:  subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call unravel_real_vfork
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size vfork, .-vfork
    .section .note.GNU-stack, "", @progbits
