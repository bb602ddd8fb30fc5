"""A seccomp filter that allows what computing needs and refuses every other system call."""
import ctypes
import os
import platform
import struct

import syscalls

LOAD, AND, EQUALS, AT_LEAST, HAS_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOTTY, ENOSYS, EOPNOTSUPP = 1, 25, 38, 95
NUMBER, ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
X32 = 0x40000000
NEWEST_KNOWN = 462  # calls beyond this are answered as by a kernel that doesn't have them

CLONE_THREAD = 0x10000
O_ACCMODE, O_TRUNC = 0o3, 0o1000
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41
# Asking a terminal for its kind and size, how much there is to read, close-on-exec, non-blocking.
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451, 0x5421)
# Duplicate, flags, locks: nothing that sends signals or grows pipes.
FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)


def install(libc):
    """From here on, and in every thread. Needs no_new_privs."""
    code = PREPARED.replace(step(EQUALS, SOME_PID, 0, 1), step(EQUALS, os.getpid(), 0, 1))
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_void_p)]

    filter_program = Program(len(code) // 8, ctypes.addressof(buffer))
    if libc.prctl(22, 2, ctypes.byref(filter_program), 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')


def program(machine, pid):
    judged = syscalls.JUDGED[machine]
    steps = [step(LOAD, ARCHITECTURE), step(EQUALS, syscalls.AUDIT[machine], 1, 0), step(RETURN, KILL_PROCESS)]
    steps += [step(LOAD, NUMBER)]
    if machine == 'x86_64':
        steps += [step(AT_LEAST, X32, 0, 1), step(RETURN, KILL_PROCESS)]
    for number in syscalls.ALLOWED[machine].values():
        steps += [step(EQUALS, number, 0, 1), step(RETURN, ALLOW)]

    # Opening for reading may not empty the file: Landlock knows of that only since its third version.
    empties = [step(AND, O_ACCMODE | O_TRUNC), step(EQUALS, O_TRUNC, 0, 1), refuse(EPERM), step(RETURN, ALLOW)]
    if 'open' in judged:
        steps += case(judged['open'], [step(LOAD, argument(1)), *empties])
    steps += case(judged['openat'], [step(LOAD, argument(2)), *empties])
    # Threads, but no processes.
    steps += case(judged['clone'], [
        step(LOAD, argument(0)), step(HAS_BIT, CLONE_THREAD, 1, 0), refuse(EPERM), step(RETURN, ALLOW)])
    # Signals, but only to itself.
    steps += case(judged['tgkill'], one_of(0, [pid], EPERM))
    steps += case(judged['prctl'], one_of(0, [PR_SET_NAME, PR_GET_NAME, PR_SET_VMA], EPERM))
    # Reading its own limits: no other process, and both halves of the pointer to new limits are zero.
    steps += case(judged['prlimit64'], [
        step(LOAD, argument(0)), step(EQUALS, 0, 0, 4), step(LOAD, argument(2)), step(EQUALS, 0, 0, 2),
        step(LOAD, argument(2) + 4), step(EQUALS, 0, 1, 0), refuse(EPERM), step(RETURN, ALLOW)])
    steps += case(judged['ioctl'], one_of(1, IOCTLS, ENOTTY))
    steps += case(judged['fcntl'], one_of(1, FCNTLS, EPERM))

    for number in syscalls.ABSENT[machine].values():
        steps += case(number, [refuse(ENOSYS)])
    for number in syscalls.UNSUPPORTED[machine].values():
        steps += case(number, [refuse(EOPNOTSUPP)])
    steps += [step(AT_LEAST, NEWEST_KNOWN, 0, 1), refuse(ENOSYS), refuse(EPERM)]
    return steps


def case(number, steps):
    """The steps for one call; each must end in a return."""
    return [step(EQUALS, number, 0, len(steps)), *steps]


def one_of(index, values, errno):
    steps = [step(LOAD, argument(index))]
    for value in values:
        steps += [step(EQUALS, value, 0, 1), step(RETURN, ALLOW)]
    return [*steps, refuse(errno)]


def refuse(errno):
    return step(RETURN, ERRNO | errno)


def step(code, value, if_true=0, if_false=0):
    return struct.pack('HBBI', code, if_true, if_false, value & 0xFFFFFFFF)


def argument(index):
    return 16 + 8 * index


# Built once, by the parent: only the process number differs from child to child.
SOME_PID = 0x7EADBEEF
PREPARED = b''.join(program(platform.machine(), SOME_PID)) if platform.machine() in syscalls.AUDIT else b''
