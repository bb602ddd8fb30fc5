// What some tests need beside Node, and how to get it. A test that needs what is not there is left out with its reason;
// in CI on Linux what can be installed may not be missing.

export const NEEDS = {
  python: {
    isInstallable: true,
    what: 'Python with the packages of the sandbox (Linux)',
    get: 'node packages/sandbox/dist/cli.js setup-python',
  },
  bubblewrap: { isInstallable: true, what: 'bubblewrap (Linux)', get: 'apt-get install bubblewrap' },
  namespaces: {
    what: 'user namespaces for ordinary users, with setpriv and unshare',
    get: 'apt-get install util-linux; sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 where that setting exists',
  },
  chromium: {
    isInstallable: true,
    what: 'Chromium',
    get: 'apt-get install chromium-headless-shell, or set CHROMIUM to the path of a Chromium or Chrome',
  },
  postgres: {
    isInstallable: true,
    what: 'PostgreSQL, fetched from PyPI',
    get: 'apt-get install python3 python3-venv, and a network for the first run',
  },
  s3: { isInstallable: true, what: 'an S3-compatible server, fetched from npm', get: 'a network for the first run' },
  'small-disk': { what: 'a file system of its own', get: 'run as root, or allow sudo without a password' },
  llamacpp: {
    isInstallable: true,
    what: 'llama.cpp, fetched from PyPI',
    get: 'apt-get install python3 python3-venv, and a network for the first run',
  },
  ocr: {
    isInstallable: true,
    what: 'models that recognise text, fetched from PyPI',
    get: 'apt-get install python3 python3-pip, and a network for the first run',
  },
  pip: { what: 'pip', get: 'apt-get install python3 python3-pip' },
  mlx: { what: 'MLX', get: 'a Mac with Apple silicon, and pip install mlx-lm' },
  shell: { isInstallable: true, what: 'bash and curl', get: 'apt-get install bash curl' },
  strace: {
    isInstallable: true,
    what: 'strace, and the right to watch processes (Linux)',
    get: 'apt-get install strace',
  },
  openssl: { isInstallable: true, what: 'openssl', get: 'apt-get install openssl' },
  ipv6: { what: 'the IPv6 address ::1', get: 'enable IPv6 on the loopback interface' },
  'no-system-numpy': { what: 'a Python of the system without NumPy', get: 'apt-get remove python3-numpy' },
  linux: { what: 'Linux', get: 'run it on Linux' },
  root: { what: 'root', get: 'run it as root' },
  'model-download': { what: 'a model that the test downloads', get: 'set ATOLL_MODEL_TESTS=1' },
  'ordinary-user': { what: 'an ordinary user', get: 'run it as a user other than root' },
};

/** Options of a test or a suite that is left out unless something is there. */
export function requires(isThere, need) {
  if (!(need in NEEDS)) throw new Error(`"${need}" is not in the table of needs`);
  return isThere ? {} : { skip: true, meta: { needs: need } };
}

/** Leaves out the test of this context, which finds only while it runs that something is missing. */
export function leaveOut({ task, skip }, need) {
  if (!(need in NEEDS)) throw new Error(`"${need}" is not in the table of needs`);
  task.meta.needs = need;
  return skip(NEEDS[need].what);
}
