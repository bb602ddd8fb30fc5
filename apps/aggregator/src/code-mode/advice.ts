interface Advice {
  /** Of the failure's message. */
  readonly message: RegExp;
  /** Of the program, where the message alone does not tell. */
  readonly code?: RegExp;
  readonly text: string;
}

const ONLY_TOOLS =
  'A program has no network, files, modules or timers; it reaches everything by the functions of tools';

const ADVICE: readonly Advice[] = [
  {
    message:
      /'(?:fetch|require|process|setTimeout|setInterval|XMLHttpRequest|WebSocket|Buffer|Deno|Bun)' is not defined/,
    text: ONLY_TOOLS,
  },
  { message: /^SyntaxError/, code: /^[ \t]*(?:import|export)\b/m, text: ONLY_TOOLS },
  {
    message: /^SyntaxError/,
    code: /^[ \t]*(?:interface \w+|type \w+ =|(?:const|let|var) \w+:)/m,
    text: 'Programs are plain JavaScript, without types',
  },
  {
    message: /'\w+' is not defined/,
    code: /(?<![\w.])(?!(?:function|if|for|while|switch|catch|print|return)\b)[a-z]\w*_\w+\s*\(/,
    text: 'Every tool is a function of tools: tools.search_memory(…)',
  },
  { message: /'await' outside/, text: 'In Python calls are not awaited: hits = tools.search_memory(query="tides")' },
  { message: /'return' outside/, text: 'The value of a Python program is its last expression; leave out return' },
  {
    message: /^ModuleNotFoundError/,
    text: 'There are the standard library and, where Python is set up, numpy and pandas; everything else is reached by the functions of tools',
  },
];

/** Patterns are not run over more of a program than this. */
const MAX_CODE = 20_000;

/** The message of a failed program, with what would be right where a usual mistake shows. */
export function withAdvice(message: string, code: string): string {
  const start = code.slice(0, MAX_CODE);
  const found = ADVICE.find((advice) => advice.message.test(message) && (advice.code?.test(start) ?? true));
  return found ? `${message}. ${found.text}` : message;
}
