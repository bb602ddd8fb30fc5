import { expect, test } from 'vitest';
import { type Made, openRequestDirectory } from './requests/directory.ts';

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

test('with a stray word anywhere, nothing is done, and nothing is claimed', async () => {
  const { request } = await openRequestDirectory();
  const random = randomOf(SEED + 1);
  const wrong: object[] = [];
  for (let i = 0; i < 150; i++) {
    const { text } = caseOf(random);
    const words = text.split(' ');
    const stray = STRAYS[Math.floor(random() * STRAYS.length)]!;
    words.splice(Math.floor(random() * (words.length + 1)), 0, stray);
    const prompt = words.join(' ');
    const got = await request(prompt);
    if (got.made.length > 0 || /Inference successful/.test(got.text))
      wrong.push({ prompt, answer: got.text, made: got.made });
  }
  expect(wrong).toEqual([]);
});
