export interface PackageReport {
  readonly folder: string;
  readonly seconds: number;
  readonly output: string;
  readonly passed: number;
  readonly failures: readonly { readonly file?: string; readonly name?: string; readonly reason?: string }[];
  readonly leftOut: readonly { readonly file: string; readonly name?: string; readonly needs?: string }[];
}
export function summaryOf(
  reports: readonly PackageReport[],
  options: { readonly seconds: number; readonly isStrict?: boolean },
): { text: string; isGood: boolean };
export function aloneCommand(folder: string, file?: string, name?: string): string;
