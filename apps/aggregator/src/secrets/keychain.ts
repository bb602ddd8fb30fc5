const SERVICE = 'atoll';

/** The system's keychain. Methods throw where it is locked or does not answer. */
export interface Keychain {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  remove(name: string): boolean;
}

/** Undefined if the package is not installed for this platform or no keychain is running, as in a container. */
export async function loadKeychain(): Promise<Keychain | undefined> {
  try {
    const { Entry } = await import('@napi-rs/keyring');
    const entry = (name: string) => new Entry(SERVICE, name);
    entry('probe').getPassword();
    return {
      get: (name) => entry(name).getPassword() ?? undefined,
      set: (name, value) => entry(name).setPassword(value),
      remove: (name) => entry(name).deletePassword(),
    };
  } catch {
    return undefined;
  }
}
