"""As root: shows folders to an unprivileged user although a folder on the way to them is closed to others."""
import os

import lockdown


def expose(folders, kept):
    """Covers each closed folder with an empty one, in this process's own view only, and mounts what is wanted in it.

    What else the closed folder holds disappears on the way. `kept` are for root alone and stay as they are.
    """
    closed = {folder: closed_on_the_way(folder) for folder in [*folders, *kept]}
    covers = {closed[folder] for folder in folders if closed[folder]}
    if not covers:
        return
    trees = {folder: tree(folder) for folder in folders if closed[folder]}
    for folder in kept:
        if any((folder + '/').startswith(cover + '/') for cover in covers):
            trees[folder] = [(folder, True, lockdown.take_tree(folder))]
    lockdown.private_mounts()
    for cover in covers:
        lockdown.mount('tmpfs', cover, 'tmpfs', lockdown.MS_NOSUID | lockdown.MS_NODEV, 'size=1m,mode=0755')
    # Outer folders first: a later mount would hide an earlier one inside it.
    for folder, parts in sorted(trees.items(), key=lambda item: len(item[0])):
        for path, is_folder, fd in parts:
            os.makedirs(path if is_folder else folder, 0o755, exist_ok=True)
            if not is_folder:
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
            lockdown.put_tree(fd, path)
            os.close(fd)


def tree(folder):
    """The folder as one mount; or, where the folder itself is the closed one, each thing in it."""
    if os.stat(folder).st_mode & 0o001:
        return [(folder, True, lockdown.take_tree(folder))]
    entries = [entry for entry in os.scandir(folder) if not entry.is_symlink()]
    return [(entry.path, entry.is_dir(), lockdown.take_tree(entry.path)) for entry in entries]


def closed_on_the_way(folder):
    """The outermost folder on the way that others may not enter."""
    way = os.path.abspath(folder)
    parents = [way]
    while way != '/':
        way = os.path.dirname(way)
        parents.append(way)
    for path in reversed(parents):
        if not os.stat(path).st_mode & 0o001:
            return path
    return None
