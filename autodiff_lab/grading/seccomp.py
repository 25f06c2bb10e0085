"""A filter of system calls for the sandbox, as a program for the kernel (classic BPF).

It refuses what no exercise needs and what could reach past the sandbox: namespaces and mounts, other processes' memory,
kernel keys, io_uring, eBPF, and memory that belongs to no process and so to no limit (memfd, System V).
"""

from __future__ import annotations

import errno
import platform
import struct

# Numbers: linux/audit.h, arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h (Linux 6.12).
_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# fmt: off
_REFUSED = {  # call: (its number on x86_64, on aarch64)
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "open_by_handle_at": (304, 265),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186),
}
# fmt: on
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag that clone takes
_X32 = 0x40000000  # calls of x86-64's other interface, which would pass by the numbers above

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16


def program(machine: str = platform.machine()) -> bytes:
    """The filter for a machine; empty for one whose numbers are not known here. What it refuses fails with EPERM."""
    if machine not in _ARCH:
        return b""
    steps: list[tuple[int, int, int, int]] = []

    def refuse_if(test: int, value: int, error: int) -> None:
        steps.extend([(test, 0, 1, value), (_RETURN, 0, 0, _ERRNO | error)])

    steps += [(_LOAD, 0, 0, _ARCH_AT), (_EQUAL, 1, 0, _ARCH[machine]), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    steps.append((_LOAD, 0, 0, _NUMBER_AT))
    refuse_if(_AT_LEAST, _X32, errno.ENOSYS)
    for numbers in _REFUSED.values():
        refuse_if(_EQUAL, numbers[list(_ARCH).index(machine)], errno.EPERM)
    # Its flags are out of sight, in memory; the C library then falls back on clone.
    refuse_if(_EQUAL, _CLONE3, errno.ENOSYS)
    steps += [(_EQUAL, 1, 0, _CLONE[machine]), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST_ARGUMENT_AT)]
    refuse_if(_ANY_BIT, _NEW_NAMESPACES, errno.EPERM)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
