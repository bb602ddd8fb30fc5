import { createRequire } from 'node:module';
import type { ChartAnswer, ChartTask } from './chart-messages.ts';

const SCALE = 2;
/** Of the picture; larger ones are scaled down. */
const MAX_PIXELS = 24_000_000;
const MAX_WARNINGS = 10;

process.on('message', (task: ChartTask) => {
  void draw(task).then((answer) => process.send!(answer));
});
process.on('disconnect', () => process.exit(0));

type Libraries = Awaited<ReturnType<typeof load>>;
let loading: Promise<Libraries> | undefined;

async function load() {
  const [vega, vegaLite, interpreter, { createCanvas, GlobalFonts }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
    import('@napi-rs/canvas'),
  ]);
  const require = createRequire(import.meta.url);
  for (const style of ['Regular', 'Bold', 'RegularItalic'])
    GlobalFonts.registerFromPath(require.resolve(`roboto-fontface/fonts/roboto/Roboto-${style}.woff2`), 'Roboto');
  const ruler = createCanvas(1, 1).getContext('2d');
  // Vega measures text with another canvas package, and guesses without it. Its types leave these out.
  const { textMetrics, font } = vega as unknown as TextMeasures;
  textMetrics.width = (item, text) => {
    ruler.font = font(item);
    return ruler.measureText(String(text ?? '')).width;
  };
  return { vega, vegaLite, interpreter, createCanvas };
}

interface TextMeasures {
  readonly textMetrics: { width: (item: object, text: unknown) => number };
  readonly font: (item: object) => string;
}

async function draw({ spec, rows }: ChartTask): Promise<ChartAnswer> {
  let libraries: Libraries;
  try {
    loading ??= load();
    libraries = await loading;
  } catch (error) {
    return { ok: false, kind: 'missing', reason: messageOf(error) };
  }
  const warnings: string[] = [];
  const warn = (warning: string) => {
    // Logged for every box plot without outliers.
    if (warning.startsWith('Infinite extent')) return;
    if (warnings.length < MAX_WARNINGS && !warnings.includes(warning)) warnings.push(warning);
  };
  try {
    return { ok: true, png: await pngOf(libraries, { spec, rows }, warn), warnings };
  } catch (error) {
    return { ok: false, kind: 'spec', reason: problemIn(messageOf(error)) };
  }
}

async function pngOf(
  { vega, vegaLite, interpreter, createCanvas }: Libraries,
  { spec, rows }: ChartTask,
  warn: (text: string) => void,
): Promise<Uint8Array> {
  const refuse = async (): Promise<never> => {
    throw new Error('Nothing is loaded from anywhere');
  };
  const tell = (...parts: readonly unknown[]) => {
    warn(parts.map(String).join(' '));
    return logger;
  };
  const quiet = () => logger;
  const logger = { level: () => 1, error: tell, warn: tell, info: quiet, debug: quiet } as never;
  const full = { background: 'white', width: 640, height: 400, ...spec, data: { values: rows } };
  // The compiler validates the spec of the caller.
  const compiled = vegaLite.compile(full as never, { logger, config: { font: 'Roboto' } });
  // Expressions are interpreted, never compiled to code.
  const runtime = vega.parse(compiled.spec, undefined, { ast: true } as never);
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as never;
  const expr = interpreter.expressionInterpreter;
  const view = new vega.View(runtime, { renderer: 'none', loader, logger, expr } as never);
  try {
    await view.runAsync();
    // Vega sizes canvases itself, but only those of the package it knows.
    const { _viewWidth, _viewHeight } = view as unknown as { _viewWidth: number; _viewHeight: number };
    const { left, right, top, bottom } = view.padding() as Readonly<
      Record<'left' | 'right' | 'top' | 'bottom', number>
    >;
    const width = Math.max(1, _viewWidth + left + right);
    const height = Math.max(1, _viewHeight + top + bottom);
    const scale = Math.min(SCALE, Math.sqrt(MAX_PIXELS / (width * height)));
    const canvas = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
    await view.toCanvas(scale, { externalContext: canvas.getContext('2d') } as never);
    return canvas.toBuffer('image/png');
  } finally {
    view.finalize();
  }
}

/** The library's messages speak of its own code. */
function problemIn(message: string): string {
  const [, call] = /Unrecognized function: ([\w.]+)/.exec(message) ?? [];
  if (call) return `An expression calls "${call}", which is not a function`;
  const [, name] = /Unrecognized signal name: "(\w+)"/.exec(message) ?? [];
  if (name) return `An expression has the unknown name "${name}"; a column is written as datum.${name}`;
  if (/unexpected|illegal|unterminated|invalid regular expression/i.test(message))
    return 'An expression of it, such as in "calculate" or "filter", is incomplete or has an error';
  return 'Vega-Lite cannot draw this spec; leave out "scale", "projection", "params" and "config" one by one to find the part, or use the short form {"type": "bar", "x": …}';
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 300);
