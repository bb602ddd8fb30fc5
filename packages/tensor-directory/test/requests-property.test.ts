import { expect, test, vi } from 'vitest';
import { type Made, openRequestDirectory } from './requests/directory.ts';

// A busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 600_000 });

/** A small generator of random numbers with a seed, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TENSORS: Readonly<Record<string, readonly number[]>> = {
  bias: [1, -2, 3],
  sales_2023: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120],
  mask: [1, 0],
};
const MODELS: Readonly<Record<string, (value: number) => number>> = { doubler: (v) => v * 2, negator: (v) => -v };
const POLITE = ['', 'Please ', 'Could you please ', 'Hi! ', 'I would like to ', 'Hey, can you '];
const THANKS = ['', ', please', '. Thanks!', ' now', ', thank you'];
/** Words that change what is asked, or that nobody knows; none of them may be passed over. */
const STRAYS = [
  'not',
  'never',
  'twice',
  'tomorrow',
  'unless',
  'half',
  'zorp',
  'backwards',
  'carefully',
  'except',
  'almost',
  'maybe',
  'seventeen',
  'delete',
  'blue',
];

interface Case {
  readonly text: string;
  readonly made: readonly Made[];
}

/** A random chain of runs, said in a random way, with what it must make. */
function caseOf(random: () => number): Case {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const made: Made[] = [];
  const clauses: string[] = [];
  let last: readonly number[] | undefined;
  const count = 1 + Math.floor(random() * 3);
  for (let i = 0; i < count; i++) {
    const model = pick(Object.keys(MODELS));
    const isChained = last !== undefined && random() < 0.5;
    const tensor = pick(Object.keys(TENSORS));
    const isSliced = !isChained && random() < 0.3;
    const values = isChained ? last! : isSliced ? TENSORS[tensor]!.slice(0, 2) : TENSORS[tensor]!;
    const given = isChained
      ? 'the result'
      : `${pick(['', 'tensor ', 'the tensor '])}${pick([tensor, `'${tensor}'`])}${isSliced ? '[0:2]' : ''}`;
    const said = pick([model, `'${model}'`, `model ${model}`, `the model '${model}'`]);
    const isNamed = random() < 0.6;
    const output = isNamed ? `out_${i}` : `inference_output_${model}`;
    const naming = isNamed
      ? pick([
          ` and call it ${output}`,
          ` and call the output '${output}'`,
          ` and save the result as ${output}`,
          ` -> ${output}`,
        ])
      : '';
    clauses.push(
      `${pick([`run ${said} on ${given}`, `apply ${said} to ${given}`, `feed ${given} to ${said}`, `use ${said} on ${given}`])}${naming}`,
    );
    last = values.map((value) => MODELS[model]!(value) + 0);
    made.push([output, last]);
  }
  return { text: clauses.join(pick([', then ', '. Then ', '; then '])), made };
}

/** Groups of tensors as they are said, and what is in them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'all float32 tensors': ['bias', 'embeddings'],
  'all tensors tagged prod': ['embeddings', 'sales_2023'],
  'every matrix': ['embeddings', 'input_image_data', 'matrix_A', 'matrix_B'],
  'all tensors with 12 elements': ['embeddings', 'sales_2023', 'sales_2024'],
  'all tensors whose name starts with sales': ['sales_2023', 'sales_2024'],
};
/** What can be left out of them by a property. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  'the float32 ones': ['bias', 'embeddings'],
  'those tagged prod': ['embeddings', 'sales_2023'],
  'the int64 ones': ['input_image_data', 'matrix_A', 'matrix_B', 'my first try', 'sales_2023', 'sales_2024'],
};
const EXCEPT = ['except', 'but not', 'except for', 'other than', 'excluding', 'apart from'];
const embeddings = [0.5, 0.25, 1, 2];
const VALUES: Readonly<Record<string, unknown>> = {
  ...TENSORS,
  sales_2024: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 150],
  embeddings: [embeddings, embeddings, embeddings],
  input_image_data: [
    [10, 250],
    [0, 100],
  ],
  matrix_A: [
    [1, 2],
    [3, 4],
  ],
  matrix_B: [
    [5, 6],
    [7, 8],
  ],
};
/** Parts of tensors as they are said, and the values that are meant. */
const PARTS: Readonly<Record<string, unknown>> = {
  'the first two rows of embeddings': [embeddings, embeddings],
  'the last row of matrix_A': [3, 4],
  'the first column of embeddings': [0.5, 0.5, 0.5],
  'the last 2 columns of embeddings': [
    [1, 2],
    [1, 2],
    [1, 2],
  ],
  'embeddings[1:, 0:2]': [
    [0.5, 0.25],
    [0.5, 0.25],
  ],
  'matrix_B[:, 1]': [6, 8],
  'the last three values of sales_2023': [100, 110, 120],
  'the first 2 elements of bias': [1, -2],
  'the third value of sales_2023': 30,
  'sales_2023[::4]': [10, 50, 90],
};

function mapped(value: unknown, change: (value: number) => number): unknown {
  return Array.isArray(value) ? value.map((each) => mapped(each, change)) : change(value as number) + 0;
}

/** One run on a group without some of it, or on a part of a tensor. */
function selectionOf(random: () => number): Case {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const model = pick(Object.keys(MODELS));
  const verb = pick(['run', 'apply', 'use', 'execute']);
  const on = verb === 'apply' ? 'to' : 'on';
  const change = MODELS[model]!;
  if (random() < 0.4) {
    const part = pick(Object.keys(PARTS));
    const isNamed = random() < 0.5;
    const output = isNamed ? 'part_out' : `inference_output_${model}`;
    const naming = isNamed ? pick([' and call it part_out', ' -> part_out', ' as part_out']) : '';
    return { text: `${verb} ${model} ${on} ${part}${naming}`, made: [[output, mapped(PARTS[part], change)]] };
  }
  const group = pick(Object.keys(GROUPS));
  const all = GROUPS[group]!;
  const isProperty = random() < 0.4;
  const property = pick(Object.keys(PROPERTIES));
  const first = pick(all);
  const second = pick(all);
  const names = first === second || random() < 0.5 ? [first] : [first, second];
  const left = isProperty ? PROPERTIES[property]! : names;
  const said = `${pick(EXCEPT)} ${isProperty ? property : names.join(' and ')}`;
  const text = pick([
    `${verb} ${model} ${on} ${group} ${said}`,
    `${verb} ${model} ${on} ${group}, ${said}`,
    `${said}, ${verb} ${model} ${on} ${group}`,
  ]);
  const made = all
    .filter((name) => !left.includes(name))
    .map((name): Made => [`inference_output_${model}`, mapped(VALUES[name], change)]);
  return { text, made };
}

/** Words of other languages that would change what is asked. */
const FOREIGN = [
  'nicht',
  'außer',
  'zweimal',
  'morgen',
  'falls',
  'sauf',
  'jamais',
  'demain',
  'sinon',
  'salvo',
  'nunca',
  'mañana',
  '不要',
  '除了',
  '明天',
  '两次',
  '如果',
];

/** A word that means nothing in any language. */
function nonsense(random: () => number): string {
  const letter = (letters: string) => letters[Math.floor(random() * letters.length)]!;
  const syllables = 2 + Math.floor(random() * 2);
  return Array.from({ length: syllables }, () => `${letter('bdfgklmvz')}${letter('aou')}${letter('kpxz')}`).join('');
}

const SEED = Number(process.env.PROPERTY_SEED ?? 20_231_027);

test('what was done is what was asked, with any politeness around it', async () => {
  const { request } = await openRequestDirectory();
  const random = randomOf(SEED);
  const wrong: object[] = [];
  for (let i = 0; i < 60; i++) {
    const { text, made } = caseOf(random);
    const prompt = `${POLITE[Math.floor(random() * POLITE.length)]}${text}${THANKS[Math.floor(random() * THANKS.length)]}`;
    const got = await request(prompt);
    if (JSON.stringify(got.made) !== JSON.stringify(made))
      wrong.push({ prompt, answer: got.text, made: got.made, expected: made });
  }
  expect(wrong).toEqual([]);
});

test('what is left out is left out, and no more than the part that is named is taken', async () => {
  const { request } = await openRequestDirectory();
  const random = randomOf(SEED + 2);
  const wrong: object[] = [];
  for (let i = 0; i < 60; i++) {
    const { text, made } = selectionOf(random);
    const got = await request(text);
    if (JSON.stringify(got.made) !== JSON.stringify(made))
      wrong.push({ prompt: text, answer: got.text, made: got.made, expected: made });
  }
  expect(wrong).toEqual([]);
});

test('with a stray word anywhere, nothing is done, and nothing is claimed', async () => {
  const { request } = await openRequestDirectory();
  const random = randomOf(SEED + 1);
  const wrong: object[] = [];
  for (let i = 0; i < 150; i++) {
    const { text } = random() < 0.6 ? caseOf(random) : selectionOf(random);
    const words = text.split(' ');
    const known = [...STRAYS, ...FOREIGN];
    const stray = random() < 0.7 ? known[Math.floor(random() * known.length)]! : nonsense(random);
    words.splice(Math.floor(random() * (words.length + 1)), 0, stray);
    const prompt = words.join(' ');
    const got = await request(prompt);
    if (got.made.length > 0 || /Inference successful/.test(got.text))
      wrong.push({ prompt, answer: got.text, made: got.made });
  }
  expect(wrong).toEqual([]);
}, 600_000);
