"""The prewarmed parent: imports once, then forks a locked-down child for each session. It never runs untrusted code itself.

Lines of JSON on stdin: {"fork": {...}}, {"signal": [pid, number]}, {"hidden": [pid, folder]}, {"sync": number}. On
stdout: {"ready"}, {"exit"}, {"hidden"}, {"sync"}.
"""
import gc
import importlib
import json
import os
import select
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import child  # noqa: E402
import expose  # noqa: E402
import hidden  # noqa: E402
import lockdown  # noqa: E402

PACKAGES = {'numpy': 'numpy', 'pandas': 'pandas', 'openpyxl': 'openpyxl', 'xlrd': 'xlrd', 'scipy': 'scipy',
            'scikit-learn': 'sklearn', 'xgboost': 'xgboost'}

# Parts that a package loads only when they are asked for, and that nearly every program asks for.
LAZY = {'numpy': ('numpy.random', 'numpy.linalg', 'numpy.fft')}


def main():
    config = json.loads(sys.argv[1])
    children = {}
    os.umask(0o022)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lockdown.die_with_parent(os.getppid())
    for step in (raise_oom_score, lambda: expose.expose(config['expose'], config['kept'])):
        try:
            step()
        except OSError:
            pass  # the probe finds out what that means
    for name in [part for name in config['preload'] for part in (name, *LAZY.get(name, ()))]:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    gc.collect()
    gc.freeze()  # keeps the pages of what was imported shared with the children
    base = lockdown.address_space()
    tell({'ready': os.getpid(), 'python': '%d.%d.%d' % sys.version_info[:3], 'packages': versions(),
          'landlock': lockdown.landlock_version(), 'uid': os.geteuid()})

    # A pipe that wakes the loop when a child has ended.
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    pending = b''
    while True:
        ready = select.select([0, wake], [], [])[0]
        if wake in ready:
            os.read(wake, 512)
            reap(children)
        if 0 not in ready:
            continue
        data = os.read(0, 65536)
        if not data:
            break
        *lines, pending = (pending + data).split(b'\n')
        for line in lines:
            request = json.loads(line)
            if 'signal' in request:
                pid, number = request['signal']
                if pid in children:
                    os.kill(pid, number)
            elif 'sync' in request:
                tell({'sync': request['sync']})
            elif 'hidden' in request:
                pid, folder = request['hidden']
                tell({'hidden': pid, 'bytes': hidden.count(pid, folder, config['dropTo'])})
            else:
                birth = {**request['fork'], 'parent': os.getpid()}
                try:
                    pid = os.fork()
                except OSError:
                    # No room for another process; the ones that are there go on.
                    tell({'exit': birth['session'], 'status': 1})
                    continue
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    child.start(config, birth, base)
                children[pid] = birth['session']
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    while children:
        reap(children, 0)


def reap(children, flags=os.WNOHANG):
    while children:
        try:
            pid, status = os.waitpid(-1, flags)
        except ChildProcessError:
            return
        if pid == 0:
            return
        session = children.pop(pid, None)
        tell({'exit': session, 'status': os.waitstatus_to_exitcode(status)})


def versions():
    """What can be imported here, by the name it has on PyPI."""
    from importlib import metadata, util
    found = {}
    for name, module in PACKAGES.items():
        try:
            if util.find_spec(module) is None:
                continue
            loaded = sys.modules.get(module)
            found[name] = getattr(loaded, '__version__', None) or version_of(metadata, name)
        except (ImportError, ValueError):
            continue
    return found


def version_of(metadata, name):
    for distribution in (name, name + '-cpu'):
        try:
            return metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return 'unknown'


def raise_oom_score():
    """When the machine runs out of memory, the kernel takes these processes first."""
    with open('/proc/self/oom_score_adj', 'w') as file:
        file.write('1000')


def tell(message):
    try:
        os.write(1, (json.dumps(message) + '\n').encode())
    except BrokenPipeError:
        pass


if __name__ == '__main__':
    main()
