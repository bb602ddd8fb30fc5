export function cacheDir(env?: Readonly<Record<string, string | undefined>>): string;
export function cached(name: string, version: string, make: (folder: string) => void): string;
export function isOpenToOthers(path: string): boolean;
export function cachedPackages(name: string, packages: readonly string[]): string;
export function cachedNode(major: number): string;
