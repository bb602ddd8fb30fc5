"""Hands over the files in the folder out: copies new and changed ones into the result file, one after another."""
import os
import stat

CHUNK = 1 << 20
MOST_REFUSED = 100


class OutputFiles:
    def __init__(self, scratch, result, most_files, most_bytes):
        self.folder = os.path.join(scratch, 'out')
        self.result, self.most_files, self.most_bytes = result, most_files, most_bytes
        self.seen = {}

    def prepare(self):
        os.makedirs(self.folder, exist_ok=True)

    def collect(self):
        os.ftruncate(self.result, 0)
        files, refused, end = [], [], 0
        for path, name in self.walk():
            try:
                facts = os.lstat(path)
                state = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
                if self.seen.get(name) == state:
                    continue
                reason = self.problem(facts, len(files), end)
                if reason is None:
                    size = self.copy(path, end)
                    files.append({'name': name, 'bytes': size})
                    end += size
                    self.seen[name] = state
            except OSError as error:
                reason = 'It cannot be read: %s' % error.strerror
            if reason is not None and len(refused) < MOST_REFUSED:
                refused.append({'name': name[:1000], 'reason': reason})
        return {'files': files, 'refused': refused}

    def walk(self):
        for folder, folders, names in os.walk(self.folder):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in sorted([*names, *links]):
                path = os.path.join(folder, name)
                yield path, os.path.relpath(path, self.folder).encode('utf-8', 'replace').decode()

    def problem(self, facts, count, end):
        if stat.S_ISLNK(facts.st_mode):
            return 'It is a link'
        if not stat.S_ISREG(facts.st_mode):
            return 'It is not a regular file'
        if count >= self.most_files:
            return 'More than %d files were written' % self.most_files
        if end + facts.st_size > self.most_bytes:
            return 'It has %d bytes; the files of one run may have %d bytes together' % (facts.st_size, self.most_bytes)
        return None

    def copy(self, path, start):
        done = 0
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            while True:
                data = os.read(fd, min(CHUNK, self.most_bytes - start - done))
                if not data:
                    return done
                view = memoryview(data)
                while view:
                    count = os.pwrite(self.result, view, start + done)
                    done, view = done + count, view[count:]
        finally:
            os.close(fd)
