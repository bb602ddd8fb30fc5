/** Texts that the browser keeps for this page. */
export interface Kept {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  remove(key: string): void;
}

/** Kept for as long as the browser keeps anything. */
export const inBrowser = keptIn(() => globalThis.localStorage);

/** Kept until the tab is closed. */
export const inTab = keptIn(() => globalThis.sessionStorage);

/** Where the browser blocks its store, or has no room, texts are kept until the page is loaded again. */
function keptIn(store: () => Storage | undefined): Kept {
  const here = new Map<string, string>();
  // Even naming a blocked store throws.
  const attempt = <Value>(act: (store: Storage) => Value): Value | undefined => {
    try {
      const found = store();
      return found && act(found);
    } catch {
      return undefined;
    }
  };
  return {
    get: (key) => attempt((found) => found.getItem(key)) ?? here.get(key),
    set: (key, text) => {
      here.set(key, text);
      attempt((found) => found.setItem(key, text));
    },
    remove: (key) => {
      here.delete(key);
      attempt((found) => found.removeItem(key));
    },
  };
}
