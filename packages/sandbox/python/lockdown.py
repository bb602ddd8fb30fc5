"""How a process takes its own rights away, for good. Standard library only.

Each step raises when the kernel refuses it, and the caller must then stop: a worker that could not lock itself down
runs nothing. The order is: rules, drop_user, limits, no_new_privs, restrict, seccomp.
"""
import ctypes
import mmap
import os
import resource
import struct

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 4, 8, 24, 38, 47
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_REC, MS_PRIVATE = 2, 4, 8, 32, 16384, 1 << 18
AT_FDCWD, OPEN_TREE, MOVE_MOUNT = -100, 428, 429
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
# The numbers of capset(2), which the C library does not wrap everywhere.
CAPSET = {'x86_64': 126, 'aarch64': 91}

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
MAKE_CHAR, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 6, 1 << 9, 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15


def checked(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, '%s: %s' % (what, os.strerror(number)))
    return result


def mount(source, target, kind, flags, options=None):
    text = [None if value is None else os.fsencode(value) for value in (source, target, kind, options)]
    checked(libc.mount(text[0], text[1], text[2], ctypes.c_ulong(flags), text[3]), 'mount ' + target)


def private_mounts():
    """What is mounted from here on is seen by this process only."""
    checked(libc.unshare(CLONE_NEWNS), 'unshare')
    mount(None, '/', None, MS_REC | MS_PRIVATE)


def own_user_namespace(mapped):
    """From here on this process is counted on its own. It has every capability in that namespace and must give them up."""
    uid, gid = os.geteuid(), os.getegid()
    checked(libc.unshare(CLONE_NEWUSER), 'unshare')
    if mapped:
        for name, text in (('setgroups', 'deny'), ('uid_map', '%d %d 1' % (uid, uid)), ('gid_map', '%d %d 1' % (gid, gid))):
            with open('/proc/self/' + name, 'w') as file:
                file.write(text)


def counts_tasks_by_namespace():
    return tuple(int(part) for part in os.uname().release.split('-')[0].split('.')[:2]) >= (5, 14)


def detach(path):
    checked(libc.umount2(os.fsencode(path), 2), 'umount ' + path)


def take_tree(path):
    """A copy of what is mounted at a path, to be put elsewhere. Needs no /proc."""
    clone, recursive = 1, 0x8000
    return checked(
        libc.syscall(ctypes.c_long(OPEN_TREE), ctypes.c_int(AT_FDCWD), os.fsencode(path), ctypes.c_uint(clone | recursive)),
        'open_tree ' + path)


def put_tree(fd, path):
    empty_source = 4
    checked(
        libc.syscall(
            ctypes.c_long(MOVE_MOUNT), ctypes.c_int(fd), b'', ctypes.c_int(AT_FDCWD), os.fsencode(path),
            ctypes.c_uint(empty_source)),
        'move_mount ' + path)


def landlock_version():
    return libc.syscall(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(1))


def rules(read_only, read_write):
    """Landlock rules that leave the given paths and nothing else. Opened while the paths can still be reached."""
    version = checked(landlock_version(), 'this kernel has no Landlock')
    handled = (1 << 13) - 1
    handled |= (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0) | (IOCTL_DEV if version >= 5 else 0)
    network = 0b11 if version >= 4 else 0  # TCP bind and connect
    scoped = 0b11 if version >= 6 else 0  # abstract unix sockets and signals
    size = 8 if version < 4 else 16 if version < 6 else 24
    attributes = struct.pack('QQQ', handled, network, scoped)[:size]
    ruleset = checked(
        libc.syscall(ctypes.c_long(CREATE_RULESET), ctypes.c_char_p(attributes), ctypes.c_size_t(size), ctypes.c_uint(0)),
        'landlock_create_ruleset')
    writing = handled & ~(EXECUTE | MAKE_CHAR | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM)
    for path in read_only:
        allow(ruleset, path, READ_FILE | READ_DIR)
    for path in read_write:
        allow(ruleset, path, writing)
    return ruleset


def allow(ruleset, path, access):
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    if not os.path.isdir(path):
        access &= WRITE_FILE | READ_FILE
    rule = struct.pack('=Qi', access, fd)
    checked(
        libc.syscall(
            ctypes.c_long(ADD_RULE), ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.c_char_p(rule), ctypes.c_uint(0)),
        'landlock_add_rule ' + path)
    os.close(fd)


def restrict(ruleset):
    checked(libc.syscall(ctypes.c_long(RESTRICT_SELF), ctypes.c_int(ruleset), ctypes.c_uint(0)), 'landlock_restrict_self')
    os.close(ruleset)


def drop_user(uid):
    """Becomes an unprivileged user if it was root, and gives up every capability in any case."""
    if os.geteuid() == 0 and uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    drop_capabilities()
    if uid is not None and 0 in os.getresuid() + os.getresgid():
        raise PermissionError('still root after giving it up')


def drop_capabilities():
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break  # not permitted, or beyond the last one
    libc.prctl(PR_CAP_AMBIENT, 4, 0, 0, 0)
    header = struct.pack('Ii', 0x20080522, 0)
    checked(
        libc.syscall(ctypes.c_long(CAPSET[os.uname().machine]), ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))), 'capset')


def no_new_privs(is_watched):
    """Where scratch is watched, the parent must be able to see which deleted files are still open."""
    checked(-abs(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)), 'no_new_privs')
    libc.prctl(PR_SET_DUMPABLE, 1 if is_watched else 0, 0, 0, 0)


def die_with_parent(parent):
    """A change of user forgets this, so it is asked for after drop_user."""
    checked(-abs(libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)), 'die with parent')
    if os.getppid() != parent:
        os._exit(1)


def limits(wanted):
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(kind, (value, value))


def address_space():
    """Bytes of address space in use, found without /proc: the least limit under which one page can still be had."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    low, high = 0, 1 << 36
    while high - low > 1 << 20:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle, hard))
        try:
            mmap.mmap(-1, mmap.PAGESIZE).close()
            high = middle
        except (OSError, MemoryError):
            low = middle
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    return high
