import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readHere } from './backends/read-here.ts';
import { type Body, connect } from './open-client.ts';
import { cleanUp } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000 });

const lines = (records: readonly unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');

const trip = lines([
  { role: 'Ann', text: 'I booked the ferry to Naxos.', time: '2024-05-08T09:12:00Z' },
  { role: 'Bob', text: 'When does it leave?', time: '2024-05-08T09:13:00Z' },
  { role: 'Ann', text: 'At seven in the morning, from Piraeus.', time: '2024-05-08T09:15:00Z' },
  { role: 'Bob', text: 'My sister Clara will join us in Athens.', time: '2024-06-01T18:00:00Z' },
  {
    role: 'Ann',
    text: `${'We should pack light. '.repeat(80)}The tent weighs four kilos.`,
    time: '2024-06-02T08:30:00Z',
  },
]);

let call: Awaited<ReturnType<typeof connect>>['call'];
let chat: Body;
beforeAll(async () => {
  ({ call } = await connect());
  chat = await call('add_memory', { name: 'trip.jsonl', text: trip });
});
afterAll(cleanUp);

const topOf = async (query: string): Promise<Body> =>
  (await call('search_memory', { query, memory_ids: [chat.id] })).results[0].snippets[0];

describe('a chat is a memory whose places are its turns', () => {
  test('a question is answered with the turn, its speaker and its time', async () => {
    expect(chat).toMatchObject({ status: 'ready', type: 'txt_file' });
    expect(await topOf('Who said that Clara will join in Athens, and when?')).toMatchObject({
      text: 'Bob (1 June 2024, 18:00 UTC): My sister Clara will join us in Athens.',
      place: { turn: 4, speaker: 'Bob', time: '2024-06-01T18:00:00Z' },
    });
    expect((await topOf('What did Ann book on 8 May 2024?')).place).toMatchObject({ turn: 1, speaker: 'Ann' });
  });

  test('a piece of a long turn still says who speaks', async () => {
    const { text, place } = await topOf('How much does the tent weigh in kilos?');
    expect(place).toEqual({ turn: 5, speaker: 'Ann', time: '2024-06-02T08:30:00Z' });
    expect(text).toContain('Ann (2 June 2024, 08:30 UTC): ');
    expect(text).toContain('The tent weighs four kilos.');
  });

  test('turns are read, cited and summarised', async () => {
    expect(await call('read_memory', { memory_id: chat.id, turns: '2:3' })).toMatchObject({
      place: 'turns 2–3',
      text: 'Bob (8 May 2024, 09:13 UTC): When does it leave?\n\nAnn (8 May 2024, 09:15 UTC): At seven in the morning, from Piraeus.',
    });
    expect(await call('read_memory', { memory_id: chat.id, turns: '9' })).toContain('has no turn 9');
    expect(await call('read_memory', { memory_id: chat.id, turns: 'all' })).toContain('is not a range');
    const { place } = await topOf('Clara joins in Athens');
    const note = await call('remember', { text: 'Clara comes along.', cites: [{ memory_id: chat.id, place }] });
    expect(note.note.cites[0].text).toContain('My sister Clara');
    const { summary } = (await call('fetch_memory', { memory_ids: [chat.id] }))[chat.id];
    expect(summary).toContain('Chat of Ann, Bob, 5 turns, 8 May 2024, 09:12 UTC to 2 June 2024, 08:30 UTC.');
  });
});

const turns = [
  ['human', 'Where do puffins nest?'],
  ['assistant', 'In burrows on cliffs.'],
] as const;
const noon = Date.UTC(2024, 0, 2, 12) / 1000;
const node = (role: string, text: string, parent: string) => ({
  parent,
  message: { author: { role }, create_time: noon, content: { content_type: 'text', parts: [text] } },
});

describe('chats as programs write them', () => {
  test.each<[string, string, object]>([
    [
      'content and timestamp',
      lines(turns.map(([role, content]) => ({ role, content, timestamp: noon }))),
      { speaker: 'assistant', time: '2024-01-02T12:00:00Z' },
    ],
    [
      'speaker and time in words',
      lines(turns.map(([speaker, text]) => ({ speaker, text, date_time: '1:56 pm on 8 May, 2023' }))),
      { speaker: 'assistant', time: '1:56 pm on 8 May, 2023' },
    ],
    [
      'parts and names',
      lines(turns.map(([role, text], at) => ({ role, name: ['Ann', 'Bot'][at], content: [{ type: 'text', text }] }))),
      { speaker: 'Bot' },
    ],
    [
      'an object with messages',
      JSON.stringify({ messages: turns.map(([role, content]) => ({ role, content })) }, null, 2),
      { speaker: 'assistant' },
    ],
    [
      'ShareGPT',
      JSON.stringify([{ conversations: turns.map(([from, value]) => ({ role: from, value })) }]),
      { speaker: 'assistant' },
    ],
    [
      'Slack',
      JSON.stringify(
        [...turns, ...turns].map(([user, text]) => ({ type: 'message', user, text, ts: `${noon}.000200` })),
      ),
      { speaker: 'assistant', time: '2024-01-02T12:00:00Z' },
    ],
    [
      'Claude',
      JSON.stringify([
        {
          name: 'Birds',
          chat_messages: turns.map(([sender, text]) => ({ sender, text, created_at: '2024-01-02T12:00:00.5+01:00' })),
        },
      ]),
      { speaker: 'assistant', time: '2024-01-02T12:00:00.5+01:00' },
    ],
    [
      'Telegram',
      JSON.stringify({
        name: 'Birds',
        messages: [
          { type: 'service', actor: 'Ann' },
          ...[...turns, ...turns].map(([from, text]) => ({
            type: 'message',
            date: '2024-01-02T12:00:00',
            from,
            text: ['', { type: 'plain', text }],
          })),
        ],
      }),
      { speaker: 'assistant', time: '2024-01-02T12:00:00' },
    ],
    [
      'ChatGPT, the branch that was shown',
      JSON.stringify([
        {
          title: 'Birds',
          current_node: 'c',
          mapping: {
            r: { parent: null, message: null },
            a: node('user', turns[0][1], 'r'),
            b: node('assistant', 'A discarded answer', 'a'),
            c: node('assistant', turns[1][1], 'a'),
          },
        },
      ]),
      { speaker: 'assistant', time: '2024-01-02T12:00:00Z' },
    ],
  ])('%s', async (_, content, place) => {
    const { format, blocks } = await readHere('export.json', content);
    expect(format).toBe('chat');
    expect(blocks.at(-1)).toMatchObject(place);
    expect(blocks.at(-1)?.text).toMatch(/: In burrows on cliffs\.$/);
    expect(blocks.map(({ text }) => text).join()).not.toContain('discarded');
  });

  test('chats of one file count their turns on and keep their titles', async () => {
    const chats = ['Birds', 'Fish'].map((title) => ({ title, turns: turns.map(([role, text]) => ({ role, text })) }));
    const { blocks } = await readHere('all.json', JSON.stringify(chats));
    expect(blocks.map(({ turn, heading }) => [turn, heading])).toEqual([
      [1, 1],
      [1, undefined],
      [2, undefined],
      [3, 1],
      [3, undefined],
      [4, undefined],
    ]);
  });
});

describe('what only looks like a chat stays what it is', () => {
  test.each<[string, string, string]>([
    [
      'log lines',
      lines([
        { level: 'info', message: 'started', time: 1 },
        { level: 'warn', message: 'slow', time: 2 },
      ]),
      'json',
    ],
    ['a line that is not JSON', `${trip}\n{"role":`, 'txt'],
    ['a line without a speaker', `${trip}\n{"text":"hello"}`, 'json'],
    [
      'a number as text',
      lines([
        { role: 'a', text: 1 },
        { role: 'b', text: 2 },
      ]),
      'json',
    ],
    [
      'reviews by different authors',
      JSON.stringify([
        { author: 'Ann', text: 'Good', date: '2024-01-01' },
        { author: 'Bob', text: 'Bad', date: '2024-01-02' },
      ]),
      'json',
    ],
    ['settings', JSON.stringify({ messages: [], name: 'app' }), 'json'],
    [
      'members',
      JSON.stringify([
        { name: 'Ann', role: 'admin' },
        { name: 'Bob', role: 'user' },
      ]),
      'json',
    ],
    [
      'a tree that is its own parent',
      JSON.stringify([{ current_node: 'a', mapping: { a: { parent: 'a', message: null } } }]),
      'json',
    ],
  ])('%s', async (_, content, format) => {
    expect((await readHere('data.jsonl', content)).format).toBe(format);
  });
});
