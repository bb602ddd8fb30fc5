export function cacheDir(env?: Readonly<Record<string, string | undefined>>): string;
export function cached(name: string, version: string, make: (folder: string) => void): string;
export function isOpenToOthers(path: string): boolean;
