import type { Language } from './sandboxes.ts';

/** Run before a program: gives it `tools`, whose functions are host calls by name. The host decides what each name means. */
export const PRELUDES: Readonly<Record<Language, string>> = {
  javascript: `(() => {
  const made = call;
  globalThis.tools = new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => typeof name === 'string' && name !== 'then'
      ? (...args) => made(name, args.length === 0 ? {} : args.length === 1 ? args[0] : args)
      : undefined,
  });
})()`,
  python: `class tools:
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        made = call
        def tool(*positional, **arguments):
            if positional:
                raise TypeError('Arguments of ' + name + ' are given by name: tools.' + name + '(query=...)')
            return made(name, arguments)
        tool.__name__ = name
        return tool

tools = tools()`,
};
