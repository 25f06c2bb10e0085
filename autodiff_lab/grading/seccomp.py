"""A filter of system calls for the sandbox, as a program for the kernel (classic BPF).

It refuses what no exercise needs and what could reach past the sandbox: namespaces and mounts, other processes' memory,
kernel keys, io_uring, eBPF, and memory that belongs to no process and so to no limit (memfd, System V, shared anonymous
mappings, which keep their pages when the process has dropped or unmapped them). Sockets are those of a machine alone
with itself (`FAMILIES`), and their buffers stay as large as they are made: see `sandbox.Watch`.

Two sandboxes share the files of the system, read-only, and nothing must pass from one to the other by way of those: a
watch on who opens a file (inotify, fanotify, leases) is refused, and a lock on a file succeeds without locking
anything. SQLite and whoever locks a file of their own go on as if they were alone, as they nearly always are. What
remains is what the whole machine has in common: how fast something is, how much memory or processor is free, what is in
the page cache.
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
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190),
    "inotify_init": (253, 26), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
}
# fmt: on
_FLOCK = {"x86_64": 73, "aarch64": 32}
_FCNTL = {"x86_64": 72, "aarch64": 25}
_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, and the same for open files: linux/fcntl.h, asm-generic/fcntl.h
_TELLS_OF_OTHERS = (1024, 1026)  # F_SETLEASE, F_NOTIFY
_CLONE = {"x86_64": 56, "aarch64": 220}
_MMAP = {"x86_64": 9, "aarch64": 222}
_SOCKETS = {"x86_64": (41, 53), "aarch64": (198, 199)}  # socket, socketpair
_SETSOCKOPT = {"x86_64": 54, "aarch64": 208}
FAMILIES = {"UNIX": 1, "INET": 2, "INET6": 10, "NETLINK": 16}
"""Of the some 45 families of sockets those that programs use; others reach the host (VSOCK) or the kernel (ALG)."""
_BUFFER_SIZES = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and both with FORCE
_SHARED_OF_NO_FILE = 0x21, 0x2F  # MAP_SHARED | MAP_ANONYMOUS, of the bits for the kind of mapping and for anonymous
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag that clone takes
_X32 = 0x40000000  # calls of x86-64's other interface, which would pass by the numbers above

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16


def _argument(place: int) -> tuple[int, int, int, int]:
    """Load the lower half of an argument; the upper one of what is an int the system does not look at either."""
    return _LOAD, 0, 0, _FIRST_ARGUMENT_AT + 8 * place


def program(machine: str = platform.machine()) -> bytes:
    """The filter for a machine; empty for one whose numbers are not known here. What it refuses fails with EPERM.

    A family of sockets that it refuses fails as one that the system does not have; setting the size of a buffer does
    nothing.
    """
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
    refuse_if(_EQUAL, _FLOCK[machine], 0)  # it returns 0, and has done nothing
    # Its flags are out of sight, in memory; the C library then falls back on clone.
    refuse_if(_EQUAL, _CLONE3, errno.ENOSYS)

    def when(numbers: tuple[int, ...], then: list[tuple[int, int, int, int]]) -> None:
        """For these calls go through `then`, which ends with the decision."""
        for left, number in zip(range(len(numbers) - 1, -1, -1), numbers, strict=True):
            steps.append((_EQUAL, left, 0 if left else len(then), number))
        steps.extend(then)

    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    when(
        (_CLONE[machine],),
        [_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), refuse, allow],
    )
    families = list(FAMILIES.values())
    known = [(_EQUAL, len(families) - place, 0, family) for place, family in enumerate(families)]
    when(_SOCKETS[machine], [_argument(0), *known, (_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT), allow])
    kind, bits = _SHARED_OF_NO_FILE
    when((_MMAP[machine],), [_argument(3), (_AND, 0, 0, bits), (_EQUAL, 0, 1, kind), refuse, allow])
    sizes = [(_EQUAL, len(_BUFFER_SIZES) - place, 0, size) for place, size in enumerate(_BUFFER_SIZES)]
    level = [_argument(1), (_EQUAL, 0, len(sizes) + 1, 1), _argument(2)]  # SOL_SOCKET
    when((_SETSOCKOPT[machine],), [*level, *sizes, allow, (_RETURN, 0, 0, _ERRNO)])
    does = [(kind, (_RETURN, 0, 0, _ERRNO)) for kind in _LOCKS] + [(kind, refuse) for kind in _TELLS_OF_OTHERS]
    when((_FCNTL[machine],), [_argument(1), *(s for kind, end in does for s in ((_EQUAL, 0, 1, kind), end)), allow])
    steps.append(allow)
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
