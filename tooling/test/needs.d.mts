export type Need =
  | 'python'
  | 'bubblewrap'
  | 'namespaces'
  | 'chromium'
  | 'postgres'
  | 's3'
  | 'small-disk'
  | 'llamacpp'
  | 'ocr'
  | 'mlx'
  | 'shell'
  | 'openssl'
  | 'ipv6'
  | 'linux'
  | 'root'
  | 'model-download'
  | 'pip'
  | 'ordinary-user'
  | 'no-system-numpy';
export const NEEDS: Readonly<
  Record<Need, { readonly what: string; readonly get: string; readonly isInstallable?: true }>
>;
export function requires(isThere: unknown, need: Need): { skip?: true };
export function leaveOut(context: { readonly task: { meta: object }; skip(note?: string): never }, need: Need): never;
