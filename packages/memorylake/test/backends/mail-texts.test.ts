import { describe, expect, test } from 'vitest';
import { compoundOf } from '../make-files.ts';
import { readHere } from './read-here.ts';

const mail = (...lines: string[]): string => lines.join('\r\n');

test('a mail whose page says far less than its plain text gives both', async () => {
  const content = mail(
    'From: a@example.org',
    'Subject: Survey',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'You have a survey waiting. It takes ten minutes and ends on Friday.',
    '--b',
    'Content-Type: text/html',
    '',
    '<style>p { color: red }</style><p>Best wishes</p>',
    '--b--',
  );
  const { blocks } = await readHere('a.eml', content);
  expect(blocks.slice(-2).map(({ part, text }) => [part, text])).toEqual([
    ['text', 'Best wishes'],
    ['plain text', 'You have a survey waiting. It takes ten minutes and ends on Friday.'],
  ]);
});

test('a mail without headers of people is read as a mail', async () => {
  const content = mail(
    'Content-Type: multipart/mixed;',
    '\tboundary="--=b73b"',
    '',
    '----=b73b',
    'Content-Type: text/plain',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('Low water at six.').toString('base64'),
    '----=b73b--',
  );
  const read = await readHere('a.eml', content);
  expect(read.format).toBe('eml');
  expect(read.text).toContain('Low water at six.');
});

test('headers in an encoding of before Unicode are read in it', async () => {
  const subject = Buffer.from([
    0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xe8, 0xe7, 0x20, 0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xfb,
  ]);
  const content = Buffer.concat([
    Buffer.from('From: a@example.org\r\nSubject: '),
    subject,
    Buffer.from('\r\n\r\nwords\r\n'),
  ]);
  expect((await readHere('a.eml', content)).title).toBe('Привет из Москвы');
});

describe('texts of an old Outlook', () => {
  const number = (id: number, value: number) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(3, 0);
    entry.writeUInt16LE(id, 2);
    entry.writeUInt32LE(6, 4);
    entry.writeUInt32LE(value, 8);
    return entry;
  };
  const old = (locale: number, internet: number, subject: number[]) =>
    compoundOf({
      '__properties_version1.0': Buffer.concat([Buffer.alloc(32), number(0x3ff1, locale), number(0x3fde, internet)]),
      '__substg1.0_0037001E': Buffer.from(subject),
      '__substg1.0_1000001E': 'words of the body',
    });
  const bytes = [0xf6, 0xe4, 0xfc];

  test.each([
    ['German, though it was sent as Cyrillic', 1031, 1251, 'öäü'],
    ['German, sent as UTF-8', 1031, 65001, 'öäü'],
    ['Russian', 1049, 20127, 'цдь'],
    ['English, which is set everywhere, sent as Cyrillic', 1033, 1251, 'цдь'],
  ])('%s', async (_, locale, internet, subject) => {
    expect((await readHere('a.msg', old(locale, internet, bytes))).title).toBe(subject);
  });
});

test('names and patterns of lists in RTF are not text', async () => {
  const list = "{\\list{\\listlevel{\\leveltext \\'02\\'00.}{\\levelnumbers \\'01}}{\\listname Names;}}";
  expect((await readHere('a.rtf', `{\\rtf1\\ansi ${list}\\pard words\\par}`)).text).toBe('words');
});
