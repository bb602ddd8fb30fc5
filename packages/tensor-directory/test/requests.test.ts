import { describe, expect, test } from 'vitest';
import { needsPython } from './python.ts';
import { openRequestDirectory } from './requests/directory.ts';
import { REQUESTS } from './requests/table.ts';

/** What was done is looked up in the directory, so an answer that claims more or less than that fails. */
describe('requests in plain language', () => {
  for (const [group, rows] of Object.entries(REQUESTS)) {
    test(group, group === 'running' ? needsPython : {}, async () => {
      const { request } = await openRequestDirectory();
      const wrong: object[] = [];
      for (const [prompt, answer, made = []] of rows) {
        const got = await request(prompt);
        const isSaid = typeof answer === 'string' ? got.text === answer : answer.test(got.text);
        const isDone = JSON.stringify(got.made) === JSON.stringify(made);
        if (!isSaid || !isDone) wrong.push({ prompt, answer: got.text, expected: String(answer), made: got.made });
      }
      expect(wrong).toEqual([]);
    });
  }
});

test('a word of the grammar that is the name of something stored means it', async () => {
  const { request, upload } = await openRequestDirectory();
  await upload('weights', [[1, 2]]);
  const { text } = await request('show bias and weights');
  expect(text).toMatch(/^Tensor 'bias' found\. .*\nTensor 'weights' found\. /s);
});

test.each([
  'Applique doubler à bias, puis total au résultat',
  'Exécute doubler sur bias puis total au résultat',
  'Aplica doubler a bias y luego total al resultado',
  'Ejecuta doubler sobre bias, luego total al resultado',
  'run doubler on bias, then total on the result',
])('a word for a figure that is the name of a model runs it: %s', async (prompt) => {
  const { request, call } = await openRequestDirectory();
  const model_code =
    "function predict({ x }) { return { dtype: 'float64', shape: [1], data: Float64Array.of(x.data.length) }; }";
  await call('upload_model', { name: 'total', description: '', language: 'javascript', model_code });
  const { made } = await request(prompt);
  expect(made).toEqual([
    ['inference_output_doubler', [2, -4, 6]],
    ['inference_output_total', [3]],
  ]);
});

test('a tensor that is named like a word of the grammar is not taken for what that word says', async () => {
  const { request, upload } = await openRequestDirectory();
  await upload('all', [[1, 2]]);
  await upload('mean', [4, 5]);
  expect((await request('show all vectors')).text).toMatch(/^Found 7 tensor\(s\) /);
  expect((await request('tensors with a mean above 60')).text).toMatch(/^Found 3 tensor\(s\) /);
  await upload('newest', [7]);
  await upload('late', [8]);
  expect((await request('run doubler on the newest tensor')).made).toEqual([['inference_output_doubler', [16]]]);
  expect((await request('run doubler on newest')).made).toEqual([['inference_output_doubler', [14]]]);
  expect((await request('what is the shape of all')).text).toMatch(/^Tensor 'all' found\. /);
  expect((await request('mean and median of bias')).text).toBe("Tensor 'bias': mean 0.6666666666666666, median 1.");
  expect((await request('mean of mean')).text).toBe("Tensor 'mean': mean 4.5.");
});

test('the result is that of the step before, also where tensors are named "result" and "first"', async () => {
  const { request, upload } = await openRequestDirectory();
  await upload('result', [42]);
  await upload('first', [10]);
  const chained = [
    ['inference_output_doubler', [20]],
    ['inference_output_negator', [-20]],
  ];
  expect((await request('Run doubler on first and then negator on the result')).made).toEqual(chained);
  expect((await request('Erst doubler auf first, dann negator auf das Ergebnis')).made).toEqual(chained);
  expect((await request('先用 doubler 处理 first，再用 negator 处理结果')).made).toEqual(chained);
  for (const prompt of ['Nenne alle Tensoren außer bias und result', 'Todos los tensores menos bias y result'])
    expect((await request(prompt)).text).toMatch(/^Found 10 tensor\(s\) [^\n]*$/);
  expect((await request('run negator on result')).made).toEqual([['inference_output_negator', [-42]]]);
  expect((await request('first run doubler on bias, then negator on the result')).made).toEqual([
    ['inference_output_doubler', [2, -4, 6]],
    ['inference_output_negator', [-2, 4, -6]],
  ]);
});
