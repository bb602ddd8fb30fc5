import type { Json } from '@atoll-mcp/sandbox';
import type { Language } from './sandboxes.ts';

/**
 * Run when a session opens: gives it a function `tools` that takes names and replaces itself by an object with a function for each.
 * A function of any other name is a host call too; the host resolves the name.
 */
export const PRELUDES: Readonly<Record<Language, string>> = {
  javascript: `globalThis.tools = (names) => {
  const made = call;
  const { prototype } = Promise;
  const { setPrototypeOf, defineProperty, create, freeze } = Object;
  const tool = (name) => {
    // Reading these fields of the result without await throws an explanation.
    const early = new Proxy(prototype, {
      get: (own, field) => {
        if (field in own || typeof field === 'symbol' || field === 'toJSON') return own[field];
        throw new TypeError('A call gives a promise: write (await tools.' + name + '({...})).' + field);
      },
    });
    const called = (...args) => setPrototypeOf(made(name, args.length === 0 ? {} : args.length === 1 ? args[0] : args), early);
    return defineProperty(called, 'name', { value: 'tools.' + name });
  };
  const known = create(null);
  for (const name of names) known[name] = tool(name);
  const others = { __proto__: null, then: undefined, toJSON: () => names, [Symbol.iterator]: () => names.values() };
  globalThis.tools = new Proxy(freeze(known), {
    get: (_, name) => name in known ? known[name] : typeof name !== 'string' || name in others ? others[name] : tool(name),
  });
}`,
  python: `class tools:
    def __init__(self, names):
        self.__names = names

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        made = call
        def tool(*positional, **arguments):
            if positional:
                raise TypeError('Arguments are given by name, as in tools.' + name + '(name=value); describe_tool shows them')
            return made(name, arguments)
        tool.__name__ = name
        return tool

    def __dir__(self):
        return self.__names

    def __iter__(self):
        return iter(self.__names)

    def __repr__(self):
        return 'tools: ' + ', '.join(self.__names)`,
};

/** Run before a program. The names are those of the caller's view. */
export function toolsOf(names: readonly string[], language: Language): string {
  const list = JSON.stringify(names);
  return language === 'python' ? `tools = tools(${list})` : `tools(${list})`;
}

/** The host while a session is prepared. */
export const noCalls = async (): Promise<Json> => null;
