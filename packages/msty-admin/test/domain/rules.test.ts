import { describe, expect, test } from 'vitest';
import { expandPath, showPath } from '../../src/domain/home-path.ts';
import { benchmarkFigures, benchmarkPrompt, speedRating } from '../../src/domain/models/benchmark.ts';
import { addToCompletion, emptyCompletion, eventReader, isTruncated } from '../../src/domain/models/completion.ts';
import { unknownModel } from '../../src/domain/models/model-facts.ts';
import { readModelList } from '../../src/domain/models/model-list.ts';
import { scoreResponse } from '../../src/domain/models/quality.ts';
import { requirementsOf } from '../../src/domain/models/requirements.ts';
import { portsInMstyConfig } from '../../src/domain/models/services.ts';
import { conversationsAsCsv, messageText } from '../../src/domain/studio/conversation-export.ts';
import { isoTime } from '../../src/domain/studio/epoch.ts';
import { physicalTables, quoted, schemaOf } from '../../src/domain/studio/table-map.ts';
import { likePatterns, snippet } from '../../src/domain/studio/text-match.ts';

describe('paths', () => {
  test('show the home folder as $HOME, as a whole folder only', () => {
    expect(showPath('/home/ada/x', '/home/ada')).toBe('$HOME/x');
    expect(showPath('/home/ada', '/home/ada/')).toBe('$HOME');
    expect(showPath('/home/adam/x', '/home/ada')).toBe('/home/adam/x');
    expect(showPath('C:\\Users\\Ada\\x', 'C:\\Users\\Ada')).toBe('$HOME\\x');
    expect(showPath('/x/home/ada', '/home/ada')).toBe('/x/home/ada');
  });

  test('are understood with ~ and $HOME in front, and nowhere else', () => {
    expect(['~/x', '$HOME/x', '~'].map((path) => expandPath(path, '/h'))).toEqual(['/h/x', '/h/x', '/h']);
    expect(['/a/~/x', '~ada/x', '$HOMER/x', '/x'].map((path) => expandPath(path, '/h'))).toEqual([
      '/a/~/x',
      '~ada/x',
      '$HOMER/x',
      '/x',
    ]);
  });
});

describe('tables', () => {
  test('of each kind of database are told apart', () => {
    expect(schemaOf(['conversationTexts', 'personas'])).toBe('drizzle');
    expect(schemaOf(['chat_sessions'])).toBe('legacy');
    expect(schemaOf(['meta', 'values_mapping', 'per_origin_mapping'])).toBe('chromium_shared_storage');
    expect(schemaOf(['foo'])).toBe('unknown');
    expect(schemaOf([])).toBe('unknown');
  });

  test('go by the literal name first where Msty 1 has several', () => {
    expect(physicalTables('chats', 'legacy', ['chats', 'chat_sessions'])).toEqual(['chats', 'chat_sessions']);
    expect(physicalTables('chats', 'legacy', ['chat_sessions'])).toEqual(['chat_sessions']);
    expect(physicalTables('users', 'drizzle', ['personas'])).toEqual([]);
    expect(quoted('a"b')).toBe('"a""b"');
  });
});

describe('times', () => {
  test.each([
    [1_769_452_200, '2026-01-26T18:30:00.000Z'],
    [1_769_452_200_000, '2026-01-26T18:30:00.000Z'],
    ['1769452200', '2026-01-26T18:30:00.000Z'],
    ['2026-01-26T18:30:00Z', '2026-01-26T18:30:00.000Z'],
    ['2026-01-26 18:30:00', '2026-01-26T18:30:00.000Z'],
    ['2026-01-26T20:30:00+02:00', '2026-01-26T18:30:00.000Z'],
    ['yesterday', null],
    [null, null],
    ['', null],
  ])('%j is read as %j', (value, iso) => {
    expect(isoTime(value)).toBe(iso);
  });
});

describe('memory', () => {
  test.each([
    ['llama-3.1-8b-fp16', 16],
    ['llama-3.1-8b-q8_0', 8],
    ['llama-3.1-8b-q6_k', 6],
    ['llama-3.1-8b-q5_k_m', 5],
    ['llama-3.1-8b-q4_k_m', 4],
    ['llama-3.1-8b-q3_k_s', 3],
    ['llama-3.1-8b-q2_k', 2],
    ['llama-3.1-8b', 4],
    ['mixtral-8x7b', 28],
    ['qwen3-0.6b-8bit', 0.6],
  ])('%s takes %d GB', (id, modelMemoryGb) => {
    expect(requirementsOf(unknownModel(id))).toMatchObject({
      modelMemoryGb,
      recommendedVramGb: Math.round(modelMemoryGb * 125) / 100,
      basis: 'name',
    });
  });

  test('is not guessed when nothing tells the size', () => {
    expect(requirementsOf(unknownModel('mystery'))).toMatchObject({
      modelMemoryGb: null,
      recommendedRamGb: null,
      basis: null,
    });
  });
});

describe('lists of models', () => {
  test('are read in every form, without duplicates and without what has no name', () => {
    expect(readModelList({ data: [{ id: 'a' }, { id: 'a' }, {}, null, 'x'] })?.map(({ id }) => id)).toEqual(['a']);
    expect(readModelList({ models: [{ name: 'b' }] })?.map(({ id }) => id)).toEqual(['b']);
    expect(readModelList([{ id: 'c' }])?.map(({ id }) => id)).toEqual(['c']);
    expect(readModelList({ data: [] })).toEqual([]);
    for (const nothing of [null, 'x', 5, {}, { data: 'x' }]) expect(readModelList(nothing)).toBeUndefined();
  });

  test('are bounded', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ id: `m${index}` }));
    expect(readModelList(many)).toHaveLength(2048);
    expect(readModelList([{ id: 'x'.repeat(2000) }])).toEqual([]);
  });
});

describe('ports in the settings of Msty', () => {
  test('count for services on this machine only', () => {
    expect(
      portsInMstyConfig({ localAIService: { host: 'localhost:12000' }, mlxService: { host: 'http://10.0.0.2:1' } }),
    ).toEqual({ local_ai: 12000 });
    expect(portsInMstyConfig({ localAIService: { port: 12001 }, mlxService: { port: 'x' } })).toEqual({
      local_ai: 12001,
    });
    for (const nothing of [null, 'x', {}, { localAIService: null }, { localAIService: { host: 'localhost:99999' } }]) {
      expect(portsInMstyConfig(nothing)).toEqual({});
    }
  });
});

describe('streams', () => {
  test('may be cut anywhere', () => {
    const read = eventReader();
    expect([...read('data: {"a"'), ...read(': 1}\r'), ...read('\n\r\nda'), ...read('ta: [DONE]\n')]).toEqual([
      '{"a": 1}',
      '[DONE]',
    ]);
  });

  test('add up to one completion', () => {
    const events = [
      { choices: [{ delta: { content: 'a' } }] },
      { choices: [{ delta: { content: [{ text: 'b' }] }, finish_reason: 'stop' }] },
    ];
    expect(events.reduce((sofar, event) => addToCompletion(sofar, event) ?? sofar, emptyCompletion)).toMatchObject({
      text: 'ab',
      finishReason: 'stop',
    });
    expect(addToCompletion(emptyCompletion, { error: 'x' })).toBeUndefined();
  });

  test('are cut off by their own word, or by the count when they give none', () => {
    const usage = { prompt: 1, completion: 100, total: 101 };
    expect(isTruncated({ ...emptyCompletion, finishReason: 'stop', usage }, 100)).toBe(false);
    expect(isTruncated({ ...emptyCompletion, finishReason: 'length', usage }, 100)).toBe(true);
    expect(isTruncated({ ...emptyCompletion, usage }, 100)).toBe(true);
  });
});

describe('searching', () => {
  test('escapes what LIKE would take for a sign of its own', () => {
    expect(likePatterns('50%_\\')).toEqual(['%50\\%\\_\\\\%']);
    expect(likePatterns('é')).toEqual(['%é%', '%É%']);
  });

  test('shows the words with what stands around them', () => {
    expect(snippet(`${'x '.repeat(100)}needle${' y'.repeat(100)}`, 'NEEDLE', 6)).toBe('…x x x needle y y y…');
    expect(snippet('short', 'short')).toBe('short');
  });
});

describe('exports', () => {
  test('quote what CSV needs quoted', () => {
    const csv = conversationsAsCsv([
      { id: '1', table: 'chats', title: 'a,"b"\nc', createdAt: null, models: ['x', 'y'], messages: [] },
    ]);
    expect(csv.split('\r\n')[1]).toBe('1,"a,""b""\nc",,x; y,,,');
  });

  test('take text out of parts, and leave what somebody wrote', () => {
    expect(messageText('[{"type":"text","text":"a"},{"type":"text","text":"b"}]')).toBe('a\nb');
    expect(messageText('{"content":{"text":"deep"}}')).toBe('deep');
    expect(messageText('["a","b"]')).toBe('["a","b"]');
    expect(messageText('{not json')).toBe('{not json');
    expect(messageText(null)).toBe('');
  });
});

describe('benchmarks', () => {
  test('average per length, and over the lengths', () => {
    const run = (promptLength: number, latencyMs: number, completionTokens: number) => ({
      promptLength,
      latencyMs,
      completionTokens,
    });
    expect(benchmarkFigures([run(50, 1000, 40), run(50, 1000, 60), run(200, 2000, 40)])).toEqual({
      results: [
        { promptLength: 50, avgTokensPerSec: 50, avgLatencyMs: 1000 },
        { promptLength: 200, avgTokensPerSec: 20, avgLatencyMs: 2000 },
      ],
      overallAvgTokensPerSec: 35,
    });
    expect([50, 30, 15, 5, 4].map(speedRating)).toEqual(['Excellent', 'Very Good', 'Good', 'Acceptable', 'Slow']);
  });

  test('use prompts of the length that is asked for', () => {
    for (const length of [1, 50, 500]) expect(benchmarkPrompt(length).split(' ')).toHaveLength(length);
  });
});

describe('scores', () => {
  test('lie between 0 and 1 and fall with what is missing', () => {
    const code =
      'Here it is:\n\n```js\n// reverses a text\nconst reverse = (text) => [...text].reverse().join("");\nreturn reverse;\n```';
    const good = scoreResponse('reverse a text', code, 'coding').score;
    const poor = scoreResponse(
      'reverse a text',
      'I would rather talk about the weather today, if you do not mind at all.',
      'coding',
    ).score;
    expect(good).toBeGreaterThan(0.9);
    expect(poor).toBeLessThan(0.7);
    expect(scoreResponse('x', '', 'general').score).toBe(0);
  });
});
