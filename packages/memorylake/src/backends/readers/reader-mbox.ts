import { type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import type { FilePart } from '../interface.ts';
import { attachmentsOfEml, writeEml } from './reader-eml.ts';

/** Reads a mailbox: mail by mail, each under its subject. */
export async function readMbox(bytes: Buffer, sink: ReadSink): Promise<void> {
  const writer = new DocumentWriter(sink);
  let number = 0;
  for (const mail of mailsIn(bytes)) {
    const part = `mail ${++number}`;
    try {
      await writeEml(mail, { ...passing(sink), title: () => {} }, writer, `${part}, `);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      writer.place = { part };
      writer.paragraph(`This mail was not read. ${error.message}`);
    }
  }
}

/** What is attached to the mails of a mailbox. */
export async function* attachmentsOfMbox(bytes: Buffer): AsyncGenerator<FilePart> {
  for (const mail of mailsIn(bytes)) {
    try {
      yield* await attachmentsOfEml(mail);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
    }
  }
}

/** The line above each mail: who sent it and when. In the mails themselves such lines are marked with `>`. */
const START = /^From \S+.*\d{1,2}:\d{2}.*$/;
const LINE = 200;

function* mailsIn(bytes: Buffer): Generator<Buffer> {
  let from = -1;
  for (let at = bytes.indexOf('From '); at >= 0; at = nextStart(bytes, at)) {
    if (!isStart(bytes, at)) continue;
    if (from >= 0) yield mailBetween(bytes, from, at);
    from = at;
  }
  if (from >= 0) yield mailBetween(bytes, from, bytes.length);
}

function nextStart(bytes: Buffer, at: number): number {
  const line = bytes.indexOf('\nFrom ', at);
  return line < 0 ? -1 : line + 1;
}

/** A line of that form, after a blank one, above the first header of a mail. */
function isStart(bytes: Buffer, at: number): boolean {
  const before = bytes.toString('latin1', Math.max(0, at - 4), at);
  if (at > 0 && !/\n\r?\n$/.test(before)) return false;
  const [first = '', second = ''] = bytes.toString('latin1', at, at + 2 * LINE).split(/\r?\n/);
  return START.test(first) && /^[!-9;-~]+:/.test(second);
}

function mailBetween(bytes: Buffer, from: number, to: number): Buffer {
  const line = bytes.indexOf('\n', from);
  const mail = bytes.subarray(line + 1, to);
  if (!mail.includes('\n>From ') && !mail.includes('\n>>')) return mail;
  return Buffer.from(mail.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
}

const passing = (sink: ReadSink): ReadSink => ({
  text: (block) => sink.text(block),
  sheet: (name) => sink.sheet(name),
  row: (number, cells) => sink.row(number, cells),
  table: (table) => sink.table(table),
  tables: (count) => sink.tables(count),
  figures: (count) => sink.figures(count),
  title: (text) => sink.title(text),
  unread: (pages, reason) => sink.unread(pages, reason),
});
