import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });
afterAll(cleanUp);

async function harbour() {
  const { call, client } = await connect();
  const rows = ['Aveiro,2024-01-31,3,"1,5"', 'Faro,2024-02-29,4,2', 'Porto,2024-03-31,9,7'];
  await call('add_memory', { name: 'fees.csv', text: `port,day,fee,"a.b [c]"\n${rows.join('\n')}\n` });
  const chart = async (sql: string, chart: object) =>
    (await client.callTool({ name: 'chart_memory_tables', arguments: { sql, chart } })) as Body;
  return { call, client, chart };
}

let shared: ReturnType<typeof harbour>;
beforeAll(() => {
  shared = harbour();
});

const ALL = 'SELECT port, day, fee, "a.b [c]" FROM fees';
const pictureOf = ({ content }: Body) => content.find(({ type }: Body) => type === 'image');
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test.each([
  { type: 'bar', x: 'port', y: 'fee', title: 'Fees' },
  { type: 'line', x: 'day', y: 'fee', color: 'port' },
  { type: 'scatter', x: 'fee', y: 'fee' },
  { type: 'histogram', x: 'fee' },
  { type: 'heatmap', x: 'port', y: 'day', color: 'fee' },
  { type: 'box', x: 'port', y: 'fee' },
  { mark: 'area', encoding: { x: { field: 'day', type: 'temporal' }, y: { field: 'fee', type: 'quantitative' } } },
])('a chart is drawn, with its spec and its rows: %o', async (form) => {
  const { chart, client } = await harbour();
  const answer = await chart(ALL, form);
  expect(answer.isError, answer.content[0].text).toBeFalsy();
  const { result } = answer.structuredContent;
  expect(result).toMatchObject({ n: 3, truncated: false, files: [{ name: 'chart.png', mime_type: 'image/png' }] });
  expect(result.rows).toHaveLength(3);
  expect(result.spec).not.toHaveProperty('data');
  expect(result).not.toHaveProperty('notice');
  const png = Buffer.from(pictureOf(answer).data, 'base64');
  const [width, height] = sizeOf(png);
  expect(width).toBeGreaterThan(1280);
  expect(height).toBeGreaterThan(800);
  const { contents } = (await client.readResource({ uri: result.files[0].uri })) as Body;
  expect(Buffer.from(contents[0].blob, 'base64').equals(png)).toBe(true);
});

const E = { x: { field: 'port', type: 'nominal' }, y: { field: 'fee', type: 'quantitative' } };
test.each<[form: object, message: string]>([
  [{ mark: 'spiral', encoding: E }, 'There is no mark "spiral". Known are arc, area, bar,'],
  [{ layer: [{ mark: 'bar' }, { mark: 'blob', encoding: E }] }, 'There is no mark "blob"'],
  [{ mark: 5, encoding: E }, 'There is no mark 5'],
  [{ encoding: E }, 'The spec needs a "mark", such as {"mark": "bar"'],
  [{ marks: [{ type: 'rect' }] }, 'This is a spec of Vega; only those of Vega-Lite are drawn'],
  [{ hconcat: 'x' }, '"hconcat" must be a list of specs'],
  [{ layer: [] }, '"layer" must be a list of specs'],
  [{ mark: 'bar', encoding: 'x' }, '"encoding" must be an object'],
  [{ mark: 'bar', encoding: { x: 'port' } }, 'The channel "x" must be an object, such as {"field": "port"'],
  [{ mark: 'bar', encoding: { xx: E.x } }, 'There is no channel "xx". Known are x, y,'],
  [
    { mark: 'bar', encoding: { x: { field: 'port', type: 'category' } } },
    'There is no type "category". Known are quantitative,',
  ],
  [
    { mark: 'bar', encoding: { ...E, y: { field: 'fee', aggregate: 'avg' } } },
    'There is no aggregate "avg". Known are count,',
  ],
  [
    { mark: 'bar', encoding: { ...E, x: { field: 'day', timeUnit: 'fortnight' } } },
    'There is no timeUnit "fortnight". Known are year,',
  ],
  [
    { mark: 'bar', encoding: { x: E.x, y: { field: 'port', type: 'quantitative' } } },
    '"port" holds text, and "y" needs numbers.',
  ],
  [
    { mark: 'bar', encoding: { x: E.x, y: { field: 'port', aggregate: 'mean' } } },
    '"port" holds text, and "y" needs numbers.',
  ],
  [{ mark: 'bar', transform: 'x', encoding: E }, '"transform" must be a list'],
  [{ mark: 'bar', transform: [{ wat: 1 }], encoding: E }, 'There is no transform {"wat":1}. Known are aggregate,'],
  [
    { mark: 'bar', transform: [{ calculate: 'datum.nothing + 1', as: 'z' }], encoding: E },
    'The query has no column "nothing"',
  ],
  [{ mark: 'bar', transform: [{ filter: "datum['pier'] > 1" }], encoding: E }, 'The query has no column "pier"'],
  [{ mark: 'bar', transform: [{ calculate: 'datum.fee +', as: 'z' }], encoding: E }, 'is incomplete or has an error'],
  [
    { mark: 'bar', transform: [{ calculate: 'foo(datum.fee)', as: 'z' }], encoding: E },
    'An expression calls "foo", which is not a function',
  ],
  [
    { mark: 'bar', transform: [{ filter: 'datum.fee > pier' }], encoding: E },
    'An expression has the unknown name "pier"; a column is written as datum.pier',
  ],
  [{ mark: 'bar', width: 'wide', encoding: E }, '"width" must be a number of pixels above 0.'],
  [{ mark: 'bar', height: -5, encoding: E }, '"height" must be a number of pixels above 0.'],
  [
    { mark: 'bar', encoding: { ...E, color: { field: 'port', scale: { scheme: 'nope' } } } },
    'Vega-Lite cannot draw this spec; leave out "scale"',
  ],
])('a spec that is wrong is refused in our words: %o', async (form, message) => {
  const { chart } = await shared;
  const answer = await chart(ALL, form);
  expect(answer.isError).toBe(true);
  expect(answer.content[0].text).toContain(message);
});

test.each([
  { mark: 'bar', encoding: { x: E.x, y: { field: 'port', aggregate: 'count', type: 'quantitative' } } },
  {
    mark: 'bar',
    transform: [{ calculate: 'length(datum.port)', as: 'port' }],
    encoding: { y: { field: 'port', type: 'quantitative' } },
  },
  { facet: { field: 'port' }, spec: { mark: 'point', encoding: { y: E.y } } },
  { repeat: ['fee'], spec: { mark: 'bar', encoding: { x: { field: { repeat: 'repeat' }, type: 'quantitative' } } } },
  { encoding: E, layer: [{ mark: 'bar' }, { mark: { type: 'text', dy: -5 }, encoding: { text: { field: 'fee' } } }] },
  { mark: 'line', encoding: { ...E, x: { field: 'day', timeUnit: 'utcyearmonth' }, tooltip: [E.x, E.y], color: null } },
])('a spec that Vega-Lite knows is drawn: %o', async (form) => {
  const { chart } = await shared;
  const answer = await chart(ALL, form);
  expect(answer.isError, answer.content[0].text).toBeFalsy();
});

test('what a chart cannot have is refused with what would be right', async () => {
  const { chart } = await harbour();
  const refused = async (form: object, sql = ALL) => {
    const answer = await chart(sql, form);
    expect(answer.isError).toBe(true);
    return answer.content[0].text;
  };
  expect(await refused({ type: 'bar', x: 'harbour', y: 'fee' })).toBe(
    'The chart cannot be drawn: The query has no column "harbour" for "x". It has: "port", "day", "fee", "a.b [c]".',
  );
  expect(await refused({ type: 'bar', y: 'fee' })).toContain('A bar chart needs "x"');
  expect(await refused({ type: 'line', x: 'day', y: 'port' })).toContain('"port" is not a column of numbers');
  expect(await refused({ type: 'pie', x: 'port' })).toContain('chart.type');
  expect(await refused({ mark: 'bar', data: { url: 'http://127.0.0.1/x' } })).toContain('"data" is refused');
  expect(await refused({ mark: 'bar', encoding: { url: { value: 'file:///etc/passwd' } } })).toContain(
    '"url" is refused',
  );
  expect(await refused({ mark: 'image' })).toContain('"image" is refused');
  expect(await refused({ mark: 'bar', encoding: { x: { field: 'pier' } } })).toContain('no column "pier"');
  expect(await refused({ type: 'bar', x: 'port' }, 'SELECT port FROM fees WHERE fee > 100')).toContain('no rows');
  expect(await refused({ type: 'bar', x: 'port' }, 'SELECT nothing FROM fees')).toContain('The query failed');
});

test('a column whose name looks like a path is drawn as a column', async () => {
  const { chart } = await harbour();
  const answer = await chart(ALL, { type: 'histogram', x: 'a.b [c]' });
  expect(answer.isError, answer.content[0].text).toBeFalsy();
  expect(answer.structuredContent.result.spec.encoding.x.field).toBe('a\\.b \\[c\\]');
});
