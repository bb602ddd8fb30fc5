"""Runs a command as an unprivileged user, with user namespaces or, as in many containers, without them.

Usage: unprivileged.py with|without FOLDER COMMAND... The folder becomes a file system of its own, seen by the command only,
so that what is stored in it can be counted to the block, deleted files included.
"""
import ctypes
import os
import sys

NOBODY = 65534
NEW_USER = 0x10000000
NEW_MOUNTS, RECURSIVE, PRIVATE = 0x20000, 16384, 1 << 18
libc = ctypes.CDLL(None, use_errno=True)


def main():
    mode, folder, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    root = os.geteuid() == 0
    if mode == 'without' or not root:
        enter_namespace('0 0 65536' if root else '%d %d 1' % (os.getuid(), os.getuid()), root)
    checked(libc.unshare(NEW_MOUNTS))
    checked(libc.mount(None, b'/', None, RECURSIVE | PRIVATE, None))
    checked(libc.mount(b'tmpfs', folder.encode(), b'tmpfs', 0, b'mode=1777,size=3g'))
    if mode == 'without':
        write('/proc/sys/user/max_user_namespaces', '0')
    if root:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execvp(command[0], command)


def enter_namespace(users, root):
    """A user namespace. Its maps are written by a process that stays outside."""
    (ready, is_ready), (mapped, is_mapped) = os.pipe(), os.pipe()
    groups = users if root else '%d %d 1' % (os.getgid(), os.getgid())
    owner = os.getpid()
    if os.fork() == 0:
        os.read(ready, 1)
        if not root:
            write('/proc/%d/setgroups' % owner, 'deny')
        write('/proc/%d/uid_map' % owner, users)
        write('/proc/%d/gid_map' % owner, groups)
        os.write(is_mapped, b'x')
        os._exit(0)
    checked(libc.unshare(NEW_USER))
    os.write(is_ready, b'x')
    os.read(mapped, 1)
    os.wait()


def checked(result):
    if result:
        sys.exit(os.strerror(ctypes.get_errno()))


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


main()
