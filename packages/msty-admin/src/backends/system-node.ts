import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import type { SystemProbe } from './interface.ts';

export function createSystemProbe(folder: string): SystemProbe {
  return {
    async resources() {
      const disk = await statfs(folder).catch(() => null);
      return {
        cpuCount: availableParallelism(),
        cpuModel: cpus()[0]?.model.trim() || null,
        loadAverage: loadavg(),
        memoryTotalBytes: totalmem(),
        memoryAvailableBytes: await availableMemory(),
        diskTotalBytes: disk ? disk.blocks * disk.bsize : null,
        diskFreeBytes: disk ? disk.bavail * disk.bsize : null,
      };
    },
  };
}

/** Linux counts its caches as used; what a program could get is told apart. */
async function availableMemory(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : freemem();
}
