"""What a forked child does before it may run untrusted code: connects to the host, then gives up its rights."""
import fcntl
import mimetypes
import os
import random
import resource
import signal
import socket
import sys
import tempfile
import warnings

import lockdown
import seccomp
from channel import Channel, frame
from worker import CONTROL, Worker

# What the dynamic linker, the time zones and NumPy read.
SYSTEM = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/localtime',
          '/usr/share/zoneinfo', '/dev/urandom', '/dev/zero']


# Of the user's threads a session gets at most one part in so many, but never fewer than these.
SHARES, FEWEST_THREADS = 16, 8


def start(config, birth, base):
    """Never returns. The host keeps a child in reserve, so what it will be for is told only when it is needed."""
    try:
        lockdown.die_with_parent(birth['parent'])
        channel = connect(config, birth['token'])
        private = own_scratch(config, birth['scratch'])
        read_only = [*SYSTEM, *python_folders(), birth['files']]
        ruleset = lockdown.rules(read_only, [birth['scratch'], '/dev/null'])
        tidy(birth['scratch'])
        told = channel.receive()
        if told is None:
            os._exit(0)
        spec = told[0]
        opened = {index: os.open(path, os.O_RDONLY | os.O_CLOEXEC) for index, path in enumerate(spec['open'])}
        result = os.open(birth['result'], os.O_RDWR | os.O_CLOEXEC)
        if private:
            for folder in config['detach']:
                lockdown.detach(folder)
            size_scratch(birth['scratch'], spec['scratchBytes'], lockdown.MS_REMOUNT)
        # Where the host watches scratch, no file may outgrow it between two looks.
        largest = max(spec['scratchBytes'], spec['resultBytes']) if private else spec['scratchBytes']
        own_tasks = shut(config, spec, opened, base, ruleset, largest, private)
        channel.send({'started': os.getpid(), 'ownScratch': private, 'ownTasks': own_tasks})
    except BaseException as error:
        # A child that can't lock itself down says why and ends.
        os.write(CONTROL, frame({'failed': '%s: %s' % (type(error).__name__, error)}))
        os._exit(1)
    try:
        Worker(channel, spec, opened, result, birth['scratch']).serve()
    finally:
        os._exit(0)


def connect(config, token):
    """Three connections to the host: frames on fd 3, the two outputs on 1 and 2. Nothing else stays open."""
    links = []
    for role in ('control', 'stdout', 'stderr'):
        link = socket.socket(socket.AF_UNIX)
        link.connect(config['socket'])
        link.sendall(('%s %s\n' % (token, role)).encode())
        links.append(link.detach())
    wanted = [os.open('/dev/null', os.O_RDONLY), links[1], links[2], links[0]]
    # Moved out of the way first, so that no number is overwritten before it is copied.
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 128) for fd in wanted]
    for target, fd in enumerate(high):
        os.dup2(fd, target, False)
    os.closerange(len(high), max(high) + 1)
    return Channel(CONTROL)


def shut(config, spec, opened, base, ruleset, largest, private):
    """Takes rights away, one by one. Nothing of this can be undone. Tells whether its threads are counted apart."""
    parent = os.getppid()
    lockdown.drop_user(config['dropTo'])
    own_tasks = count_tasks_apart()
    lockdown.die_with_parent(parent)
    mapped = sum(os.fstat(fd).st_size for fd in opened.values())
    lockdown.limits({
        resource.RLIMIT_AS: base + spec['memoryBytes'] + mapped,
        resource.RLIMIT_CPU: spec['cpuSeconds'],
        resource.RLIMIT_FSIZE: largest,
        resource.RLIMIT_NOFILE: 64 + len(opened),
        resource.RLIMIT_NPROC: share_of_tasks(spec['threads']) if own_tasks else spec['processes'],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    })
    lockdown.no_new_privs(not private)
    lockdown.restrict(ruleset)
    seccomp.install(lockdown.libc)
    return own_tasks


def count_tasks_apart():
    """The kernel counts the threads of a user; in a user namespace of its own a session has a count of its own."""
    if not lockdown.counts_tasks_by_namespace():
        return False
    try:
        lockdown.own_user_namespace(mapped=False)
    except OSError:
        return False
    lockdown.drop_capabilities()
    return True


def share_of_tasks(wanted):
    """Where the user may have few threads, as in a container, no session takes most of them."""
    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    return wanted if most == resource.RLIM_INFINITY else max(FEWEST_THREADS, min(wanted, most // SHARES))


def own_scratch(config, scratch):
    """A file system of its own with a size, where mounting is possible; else the folder that the host watches."""
    private = False
    if config['privateMounts'] != 'never':
        try:
            if config['privateMounts'] == 'user':
                lockdown.own_user_namespace(mapped=True)
            lockdown.private_mounts()
            size_scratch(scratch, 1 << 20, 0)
            private = True
        except OSError:
            if config['privateMounts'] == 'always':
                raise
    os.chdir(scratch)
    return private


def size_scratch(scratch, size, flags):
    flags |= lockdown.MS_NOSUID | lockdown.MS_NODEV | lockdown.MS_NOEXEC
    lockdown.mount('tmpfs', scratch, 'tmpfs', flags, 'size=%d,nr_inodes=%d,mode=0777' % (size, size // 4096))


def python_folders():
    """Where this Python finds its modules; never all of /usr."""
    own = os.path.dirname(os.path.abspath(__file__))
    folders = [path for path in sys.path if os.path.isdir(path) and path != own]
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix} - {'/', '/usr'}:
        folders += [os.path.join(prefix, name) for name in ('lib', 'lib64', 'share/zoneinfo')]
    return [folder for folder in folders if folder not in ('/', '/usr')]


def tidy(scratch):
    """No environment, no inherited randomness, output that appears at once."""
    os.environ.clear()
    # For libraries that are loaded later: on a large machine their threads alone would use the memory up.
    for name in (b'OPENBLAS_NUM_THREADS', b'OMP_NUM_THREADS', b'MKL_NUM_THREADS'):
        lockdown.libc.setenv(name, b'1', 1)
    tempfile.tempdir = scratch
    random.seed()
    if 'numpy.random' in sys.modules:
        sys.modules['numpy.random'].seed()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Not readable here, which these two take for an error or warn about.
    mimetypes.knownfiles[:] = []
    warnings.filterwarnings('ignore', message='.*joblib will operate in serial mode')
    sys.argv[:] = ['']
    sys.orig_argv[:] = ['']
    sys.path[:] = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
    sys.stdin = open(0)
    sys.stdout = open(1, 'w', encoding='utf-8', errors='backslashreplace', buffering=1 << 16, closefd=False)
    sys.stderr = open(2, 'w', encoding='utf-8', errors='backslashreplace', buffering=1, closefd=False)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
