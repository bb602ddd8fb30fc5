"""Counts what a session stores in files that no folder lists any more: deleted, but still open or mapped."""
import os
import stat

UNKNOWN = -1


def count(pid, folder, user):
    """Bytes of such files, or UNKNOWN where they cannot be counted, which is to be taken for too many."""
    try:
        if user is None:
            return look(pid, folder, os.stat(folder).st_dev)
        # Root without all capabilities may not look at another user's process; that user may.
        device = os.stat(folder).st_dev
        os.setegid(user)
        os.seteuid(user)
        try:
            return look(pid, folder, device)
        finally:
            os.seteuid(0)
            os.setegid(0)
    except FileNotFoundError:
        return 0  # it has ended
    except OSError:
        return UNKNOWN


def look(pid, folder, device):
    sizes = {}
    links = '/proc/%d/fd' % pid
    for name in os.listdir(links):
        try:
            found = os.stat(os.path.join(links, name))
        except FileNotFoundError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_nlink == 0 and found.st_dev == device:
            sizes[found.st_ino] = found.st_blocks * 512
    with open('/proc/%d/maps' % pid, 'rb') as file:
        for line in file:
            fields = line.split(None, 5)
            if len(fields) < 6 or not fields[5].rstrip(b'\n').endswith(b' (deleted)'):
                continue
            major, minor = (int(part, 16) for part in fields[3].split(b':'))
            # Mapped and closed: its size cannot be asked for. Some file systems show another device here.
            is_scratch = os.makedev(major, minor) == device or fields[5].startswith(os.fsencode(folder))
            if is_scratch and int(fields[4]) not in sizes:
                return UNKNOWN
    return sum(sizes.values())
