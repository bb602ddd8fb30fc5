import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrace } from '../src/system-trace.ts';

test('an address counts as connected without a network too; a file that could not be opened was not written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-trace-'));
  const log = join(folder, 'log');
  const lines = [
    '7 connect(3, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH (Network is unreachable)',
    '7 connect(4, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.2")}, 16) = -1 EINPROGRESS (Operation now in progress)',
    '7 connect(5, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.3")}, 16) = 0',
    '7 openat(AT_FDCWD, "/closed", O_WRONLY|O_CREAT, 0666) = -1 EACCES (Permission denied)',
    '7 openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = -1 ENOENT (No such file or directory)',
    '7 openat(AT_FDCWD, "/open", O_WRONLY|O_CREAT, 0666) = 3',
  ];
  try {
    writeFileSync(log, lines.join('\n'));
    expect(readTrace(log)).toEqual({
      addresses: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
      lookups: [],
      written: ['/open'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
