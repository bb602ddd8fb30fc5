/** How `predict` is defined in each language, at the beginning of a line. */
const PREDICT = {
  python: /^(?:async\s+)?(?:def\s+predict\s*\(|predict\s*=|class\s+predict\b)|^from\s.*\bimport\b.*\bpredict\b/m,
  javascript:
    /(?:^|[;{}\s])(?:async\s+)?(?:function\s*\*?\s+predict\s*\(|(?:const|let|var)\s+predict\s*=|predict\s*=|(?:globalThis|this)\.predict\s*=)/m,
} as const;

/** Code as it was meant: clients that escape twice send one line full of `\n` signs. */
export function codeAsMeant(code: string, language: keyof typeof PREDICT): string {
  if (code.includes('\n') || definesPredict(code, language)) return code;
  const unescaped = code.replaceAll('\\r\\n', '\n').replaceAll('\\n', '\n').replaceAll('\\t', '\t');
  return definesPredict(unescaped, language) ? unescaped : code;
}

export function definesPredict(code: string, language: keyof typeof PREDICT): boolean {
  return PREDICT[language].test(code);
}
