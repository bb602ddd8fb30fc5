import { expect, test } from 'vitest';
import type { FileFormat } from '../../src/domain/document.ts';
import { missingFrom } from '../../src/domain/formats/cut-off.ts';
import { pdf, pdfText } from '../make-files.ts';

const missing = (format: FileFormat, content: string, name = 'a'): string[] =>
  missingFrom(format, { name, head: content.slice(0, 65_536), tail: content.slice(-4_096), all: () => content });

const mail = [
  'From: a@example.org',
  'Content-Type: multipart/mixed;',
  ' boundary="b 1"',
  '',
  '--b 1',
  'Content-Type: text/plain',
  '',
  'words',
  '--b 1--',
  '',
].join('\r\n');
const encoded = `From: a@example.org\nContent-Transfer-Encoding: base64\n\n${Buffer.from('low water').toString('base64')}\n`;
const page = '<!doctype html><html><body><div><table><tr><td>north</td></tr></table></div></body></html>\n';
const book = '<?xml version="1.0"?><!-- c --><books lang="en"><book/></books>';
const rtf = '{\\rtf1{\\fonttbl{\\f0 Arial;}}\\pard a \\{ brace\\par}';
const table = 'day,height\n1,2.5\n2,3.25';

test.each<[FileFormat, string, number]>([
  ['eml', mail, mail.indexOf('words')],
  ['mbox', `From a Mon Jun 01 10:00:00 2009\n${mail}\nFrom b Mon Jun 01 10:00:00 2009\n${mail}`, 300],
  ['eml', encoded, encoded.length - 3],
  ['rtf', rtf, rtf.length - 1],
  ['html', page, page.indexOf('</div>')],
  ['html', page, page.indexOf('</td>') + 3],
  ['xml', book, book.length - 5],
  ['pdf', pdf([pdfText([[50, 700, 'north']])]).toString('latin1'), 400],
  ['csv', table, table.lastIndexOf(',')],
])('a file of kind %s that was cut off is told from a whole one', (format, whole, length) => {
  expect(missing(format, whole)).toEqual([]);
  expect(missing(format, whole.slice(0, length))).toEqual([expect.stringMatching(/cut off|in the middle/)]);
});

test.each<[FileFormat, string]>([
  // Last tags may be left out.
  ['html', '<html><body><p>words<p>more'],
  ['html', '<div>part of a page'],
  ['xml', '<empty a="1"/>'],
  ['csv', 'day,height\n1,2.5\n\nA note below'],
  ['csv', 'day,height\n1,"two\nlines'],
  ['eml', 'From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\nwords without parts'],
  ['rtf', '{\\rtf1 {\\pict\\bin3 {{{}}'],
])('what may be whole has no notice: %s %s', (format, content) => {
  expect(missing(format, content.endsWith('below') ? `${content}\n` : content)).toEqual([]);
});

test('JSON that cannot be parsed says that it was read as text', () => {
  expect(missing('txt', '{"harbour": "nor', 'a.json')[0]).toContain('not valid JSON');
  expect(missing('txt', '{"harbour": "nor', 'a.txt')).toEqual([]);
});

test('a mail with more attachments than become memories says so', () => {
  const part = '--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n';
  const many = `From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n${part.repeat(2_001)}--b--\n`;
  expect(missing('eml', many)).toEqual(['It has 2,001 attachments; the first 2,000 are memories of their own']);
});
