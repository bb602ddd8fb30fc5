import type { Limits } from '../../src/interface.ts';

/** Code that ends normally if it gets its way and with an error, or not at all, if it doesn't. */
export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly limits?: Partial<Limits>;
  /** The control needs the rights of root in a user namespace of its own; it still is nobody outside. */
  readonly asNamespaceRoot?: boolean;
}

const attack = (name: string, code: string, more: Omit<Attack, 'name' | 'code'> = {}): Attack => ({
  name,
  code,
  ...more,
});
const MB = 1024 * 1024;

/** In scope: OUTSIDE, PORT, UDP_PORT, UNIX, ABSTRACT, VICTIM, `libc` and `call(result)`, which raises on a refusal. */
export const PYTHON_ATTACKS: readonly Attack[] = [
  attack('read a system file', `open('/etc/passwd').read()`),
  attack('read a file of the host', `open(OUTSIDE + '/secret.txt').read()`),
  attack('read it by a path that climbs', `open('../' * 20 + OUTSIDE[1:] + '/secret.txt').read()`),
  attack('read it through /proc/self/root', `open('/proc/self/root' + OUTSIDE + '/secret.txt').read()`),
  attack(
    'read it through a folder that is open',
    `os.open('secret.txt', os.O_RDONLY, dir_fd=os.open(OUTSIDE, os.O_RDONLY))`,
  ),
  attack('read it with the C library', `call(libc.open((OUTSIDE + '/secret.txt').encode(), 0))`),
  attack(
    'map it into memory',
    `import mmap; mmap.mmap(os.open(OUTSIDE + '/secret.txt', os.O_RDONLY), 0, prot=mmap.PROT_READ)`,
  ),
  attack('list a folder of the host', `os.listdir(OUTSIDE)`),
  attack('list the root folder', `os.listdir('/')`),
  attack('write a new file', `open(OUTSIDE + '/new-%d.txt' % os.getpid(), 'w').write('x')`),
  attack('overwrite a file', `open(OUTSIDE + '/open.txt', 'w').write('x')`),
  attack('append to a file', `open(OUTSIDE + '/open.txt', 'a').write('x')`),
  attack('empty a file by its path', `os.truncate(OUTSIDE + '/open.txt', 0)`),
  attack('empty a file while opening it for reading', `os.open(OUTSIDE + '/open.txt', os.O_RDONLY | os.O_TRUNC)`),
  attack('delete a file', `os.unlink(OUTSIDE + '/doomed-1.txt')`),
  attack('rename a file', `os.rename(OUTSIDE + '/doomed-2.txt', OUTSIDE + '/renamed.txt')`),
  attack('move a file into scratch', `os.rename(OUTSIDE + '/doomed-3.txt', 'mine.txt')`),
  attack('make a folder', `os.mkdir(OUTSIDE + '/folder-%d' % os.getpid())`),
  attack('change the rights of a file', `os.chmod(OUTSIDE + '/owned.txt', 0o600)`),
  attack('change the times of a file', `os.utime(OUTSIDE + '/owned.txt', (0, 0))`),
  attack('follow a symbolic link out', `os.symlink(OUTSIDE + '/secret.txt', 'link'); open('link').read()`),
  attack('make a hard link to the outside', `os.link(OUTSIDE + '/owned.txt', OUTSIDE + '/hard-%d' % os.getpid())`),
  attack('make a named pipe', `os.mkfifo('pipe')`),
  attack('write to shared memory of the system', `open('/dev/shm/atoll-attack-%d' % os.getpid(), 'w').write('x')`),
  attack('watch a folder', `call(libc.inotify_add_watch(call(libc.inotify_init1(0)), OUTSIDE.encode(), 0xfff))`),
  attack(
    'keep a handle on a file',
    `call(libc.name_to_handle_at(-100, OUTSIDE.encode(), ctypes.c_buffer(b'\\x80' + bytes(255)), ctypes.c_buffer(8), 0))`,
  ),

  attack('see paths of the host in its command line', `assert any('/' in word for word in sys.orig_argv)`),
  attack('see the environment', `os.environ['ATOLL_SECRET']`),
  attack('see the environment in C', `libc.getenv.restype = ctypes.c_char_p; assert libc.getenv(b'ATOLL_SECRET')`),
  attack('see the environment in /proc', `assert b'ATOLL_SECRET' in open('/proc/self/environ', 'rb').read()`),
  attack('read its memory map', `open('/proc/self/maps').read()`),
  attack('open its own memory as a file', `open('/proc/self/mem', 'r+b')`),
  attack('see the command line of its parent', `open('/proc/%d/cmdline' % os.getppid()).read()`),
  attack('list processes', `assert any(name.isdigit() for name in os.listdir('/proc'))`),
  attack('use descriptors it was not given', `[os.fstat(fd) for fd in range(4, 10)]`),

  attack('open a TCP socket', `socket.socket()`),
  attack('open an IPv6 socket', `socket.socket(socket.AF_INET6)`),
  attack('open a socket in C', `call(libc.socket(2, 1, 0))`),
  attack('reach a listener on loopback', `assert socket.create_connection(('127.0.0.1', PORT), 2).recv(2) == b'hi'`),
  attack('listen on loopback', `server = socket.socket(); server.bind(('127.0.0.1', 0)); server.listen()`),
  attack(
    'send UDP',
    `s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2); s.sendto(b'x', ('127.0.0.1', UDP_PORT)); s.recv(2)`,
  ),
  attack('reach a unix socket', `s = socket.socket(socket.AF_UNIX); s.connect(UNIX); assert s.recv(2) == b'hi'`),
  attack(
    'reach an abstract unix socket',
    `s = socket.socket(socket.AF_UNIX); s.connect(ABSTRACT); assert s.recv(2) == b'hi'`,
  ),
  attack('make a pair of sockets', `socket.socketpair()`),
  attack('talk to the kernel by netlink', `socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)`),

  attack('fork', `os.fork() or os._exit(0)`),
  attack('fork in C', `libc.fork() == 0 and os._exit(0); call(ctypes.c_int(-ctypes.get_errno()).value)`),
  attack('run a shell', `import subprocess; subprocess.run(['/bin/sh', '-c', 'true'], check=True)`),
  attack('run a program by os.system', `assert os.system('true') == 0`),
  attack('spawn a program', `os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)`),
  attack('become another program', `os.execv('/bin/true', ['true'])`),
  attack(
    'start a worker process',
    `import multiprocessing as m; p = m.get_context('fork').Process(target=print); p.start(); p.join(); assert p.exitcode == 0`,
  ),
  attack(
    'start 1500 threads',
    `
import threading
threading.stack_size(512 * 1024)
threads = [threading.Thread(target=time.sleep, args=(1,), daemon=True) for _ in range(1500)]
[thread.start() for thread in threads]`,
    { limits: { memoryBytes: 256 * MB } },
  ),

  attack('signal another process', `os.kill(VICTIM, 0)`),
  attack('signal everybody', `os.kill(-1, 0)`),
  attack('signal a thread of another process', `call(libc.tgkill(VICTIM, VICTIM, 0))`),
  attack('queue a signal', `call(libc.sigqueue(VICTIM, 0, 0))`),
  attack('hold another process by a descriptor', `os.pidfd_open(VICTIM)`),
  attack('slow another process down', `os.setpriority(os.PRIO_PROCESS, VICTIM, 19)`),
  attack('move another process to one core', `os.sched_setaffinity(VICTIM, {min(os.sched_getaffinity(0))})`),
  attack('limit another process', `resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (64, 64))`),
  attack(
    'have a file send signals to another process',
    `import fcntl; fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, VICTIM)`,
  ),
  attack('be traced', `call(libc.ptrace(0, 0, 0, 0))`),
  attack(
    'read memory as a debugger does',
    `
class Part(ctypes.Structure): _fields_ = [('base', ctypes.c_void_p), ('size', ctypes.c_size_t)]
source, target = ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)
parts = [Part(ctypes.addressof(buffer), 8) for buffer in (target, source)]
call(libc.process_vm_readv(os.getpid(), ctypes.byref(parts[0]), 1, ctypes.byref(parts[1]), 1, 0))`,
  ),

  attack('make a user namespace', `call(libc.unshare(0x10000000))`),
  attack('mount', `call(libc.mount(b'none', b'.', b'tmpfs', 0, None))`, { asNamespaceRoot: true }),
  attack('change the root folder', `os.chroot('.')`, { asNamespaceRoot: true }),
  attack('change its user', `os.setuid(0)`, { asNamespaceRoot: true }),
  attack('outlive its parent', `call(libc.prctl(1, 0, 0, 0, 0))`),
  attack('become readable for debuggers', `call(libc.prctl(4, 1, 0, 0, 0))`),
  attack('change its personality', `call(libc.personality(0xffffffff))`),
  attack('make a file in memory', `os.memfd_create('x')`),
  attack('share memory with others', `call(libc.shmctl(call(libc.shmget(0, 4096, 0o600)), 0, None))`),
  attack('use io_uring', `call(libc.syscall(425, 8, ctypes.create_string_buffer(120)))`),
  attack(
    'raise a limit',
    `resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2); resource.setrlimit(resource.RLIMIT_AS, (-1, -1))`,
  ),

  attack('take 600 MB', `bytearray(600 * 1024 * 1024)`, { limits: { memoryBytes: 256 * MB } }),
  attack('map 600 MB', `import mmap; mmap.mmap(-1, 600 * 1024 * 1024)`, { limits: { memoryBytes: 256 * MB } }),
  attack('fill memory with small things', `[str(i) for i in range(3_000_000)]`, { limits: { memoryBytes: 64 * MB } }),
  attack('run longer than it may', `end = time.time() + 1\nwhile time.time() < end: pass`, { limits: { wallMs: 300 } }),
  attack('sleep longer than it may', `time.sleep(1)`, { limits: { wallMs: 300 } }),
  attack(
    'swallow interrupts',
    `
end = time.time() + 1.5
while time.time() < end:
    try: time.sleep(0.1)
    except BaseException: pass`,
    { limits: { wallMs: 300, graceMs: 200 } },
  ),
  attack('ignore interrupts', `signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(1.5)`, {
    limits: { wallMs: 300, graceMs: 200 },
  }),
  attack('be busy in C', `import re; re.match('(a+)+$', 'a' * 28 + 'b')`, { limits: { wallMs: 200, graceMs: 100 } }),
  attack('print without end', `for _ in range(4096): print('x' * 1023)`, { limits: { outputKillBytes: MB } }),
  attack('write without end to the descriptor', `for _ in range(64): os.write(1, b'x' * 65536)`, {
    limits: { outputKillBytes: MB },
  }),
  attack('complain without end', `for _ in range(64): os.write(2, b'x' * 65536)`, { limits: { outputKillBytes: MB } }),
  attack('write one large file', `open('large', 'wb').write(bytes(16 * 1024 * 1024))`, {
    limits: { scratchBytes: 8 * MB },
  }),
  attack(
    'reserve more disk than a file may have',
    `
own, taken = os.open('own', os.O_RDWR | os.O_CREAT), 0
for fd in range(3, 64):
    for part in range(16):
        if libc.fallocate(fd, 1, ctypes.c_long(part << 20), ctypes.c_long(1 << 20)) == 0: taken += 1
assert taken >= 16`,
    { limits: { scratchBytes: 8 * MB, resultBytes: MB } },
  ),
  attack(
    'write many files',
    `
for number in range(8): open('part%d' % number, 'wb').write(bytes(2 * 1024 * 1024))
time.sleep(1)`,
    { limits: { scratchBytes: 8 * MB } },
  ),
  attack(
    'write very many small files',
    `
for number in range(5000): open('small%d' % number, 'wb').close()
time.sleep(1)`,
    { limits: { scratchBytes: 8 * MB } },
  ),
];

export const PYTHON_PRELUDE = `
import ctypes, os, resource, signal, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def call(result):
    if result < 0: raise OSError(ctypes.get_errno(), 'refused')
    return result
`;
