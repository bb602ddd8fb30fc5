import { openKernel, type WasmMemory } from './open-kernel.ts';
import { SCAN_KERNEL } from './scan-kernel.generated.ts';

/** All arguments but counts are addresses in the kernel's memory; scan-kernel.wat says what lies there. */
interface ScanKernel {
  readonly memory: WasmMemory;
  sums(sketches: number, groups: number, steps: number, tables: number, out: number): void;
  dots(addresses: number, count: number, width: number, query: number, out: number): void;
}

export const openScanKernel = () => openKernel<ScanKernel>(SCAN_KERNEL);
