import { chineseStopWords, englishStopWords, tokenise } from '@atoll-mcp/storage/search';
import { chatTime } from './chats/chat-time.ts';
import type { ChatFacts, FileFacts } from './chunk-file.ts';
import { describePlace, type FileFormat, type Place } from './document.ts';
import type { SheetFacts } from './tables/chunk-rows.ts';
import { sentences } from './text/sentences.ts';

const MAX_CHARACTERS = 1_200;
const SENTENCES = 4;
const SENTENCES_WEIGHED = 400;

/** Says what a file is and holds, from the file itself: its sheets and columns, or its most telling sentences. */
export function summariseFile(format: FileFormat, facts: FileFacts, opening: string): string {
  return facts.sheets.length > 0 ? summariseSheets(format, facts) : summariseText(format, facts, opening);
}

function summariseSheets(format: FileFormat, facts: FileFacts): string {
  const count = facts.sheets.length;
  const kind = format === 'csv' || format === 'tsv' ? `${format.toUpperCase()} table` : 'Workbook';
  const head = kind === 'Workbook' ? `Workbook with ${count} ${count === 1 ? 'sheet' : 'sheets'}.` : `${kind}.`;
  const sheets = facts.sheets.flatMap((sheet) => [describeSheet(sheet), ...otherTablesOf(sheet, facts)]);
  return clip([head, ...noticesOf(facts), ...sheets].join(' '), MAX_CHARACTERS);
}

/** Tables that stand below or beside the first one of a sheet. */
const otherTablesOf = (sheet: SheetFacts, { documentTables }: FileFacts): string[] =>
  documentTables.flatMap(({ name, place, rows, columns }) =>
    place.sheet === sheet.name && place.rows
      ? [
          `${place.rows[0] > sheet.lastRow ? 'Below' : 'Beside'} it "${name}": ${rows} ${rows === 1 ? 'row' : 'rows'} (${place.rows.join('–')}); columns: ${columns
            .slice(0, 24)
            .map((column) => column.name)
            .join(', ')}.`,
        ]
      : [],
  );

function describeSheet(sheet: SheetFacts): string {
  const columns = sheet.columns
    .slice(0, 24)
    .map((column) => (column.holds === '' ? column.name : `${column.name} (${column.holds})`));
  const more = sheet.columns.length > columns.length ? ` and ${sheet.columns.length - columns.length} more` : '';
  const rows = `${sheet.rows.toLocaleString('en-US')} ${sheet.rows === 1 ? 'row' : 'rows'}`;
  return `Sheet "${sheet.name}": ${rows} (${sheet.firstRow}–${sheet.lastRow}); columns: ${columns.join(', ')}${more}.`;
}

function summariseText(format: FileFormat, facts: FileFacts, opening: string): string {
  const size =
    facts.pages > 0
      ? `${facts.pages} ${facts.pages === 1 ? 'page' : 'pages'}`
      : `${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}`;
  const title = facts.title ?? facts.headings[0];
  const head = `${KINDS[format]}${title ? ` "${title}"` : ''}${facts.chat ? describeChat(facts, facts.chat) : `, ${size}`}.`;
  const sections = facts.headings.filter((heading) => heading !== title).slice(0, 8);
  const parts = [head, ...unreadSentence(facts), ...noticesOf(facts), ...tellingSentences(opening)];
  if (sections.length > 1) parts.push(`Sections: ${sections.join('; ')}.`);
  return clip(parts.join(' '), MAX_CHARACTERS);
}

function describeChat({ lines: turns }: FileFacts, { speakers, times }: ChatFacts): string {
  const labels = times.map((time) => chatTime(time)?.label ?? time);
  const when = labels.length > 0 ? `, ${[...new Set(labels)].join(' to ')}` : '';
  return ` of ${speakers.join(', ')}, ${turns} ${turns === 1 ? 'turn' : 'turns'}${when}`;
}

/** What an answer from this file may miss. */
function unreadSentence({ unread }: FileFacts): string[] {
  if (!unread) return [];
  const { pages, reason } = unread;
  const listed = pages.slice(0, 12).join(', ') + (pages.length > 12 ? ` and ${pages.length - 12} more` : '');
  const what = pages.length === 1 ? `Page ${listed} is a picture and was` : `Pages ${listed} are pictures and were`;
  return [`${what} not read. ${reason}.`];
}

/** What the file itself shows to be missing. */
export const noticesOf = ({ notices = [] }: FileFacts): string[] => notices.map((notice) => `${notice}.`);

const KINDS: Readonly<Record<FileFormat, string>> = {
  pdf: 'PDF document',
  docx: 'Word document',
  doc: 'Word document',
  odt: 'Text document',
  rtf: 'RTF document',
  pptx: 'Presentation',
  ppt: 'Presentation',
  odp: 'Presentation',
  epub: 'Book',
  chat: 'Chat',
  eml: 'Mail',
  mbox: 'Mailbox',
  msg: 'Mail',
  image: 'Image',
  html: 'Web page',
  md: 'Markdown text',
  notebook: 'Jupyter notebook',
  xml: 'XML data',
  calendar: 'Calendar or address book',
  subtitles: 'Subtitles',
  json: 'JSON data',
  txt: 'Text',
  xlsx: 'Workbook',
  xls: 'Workbook',
  xlsb: 'Workbook',
  ods: 'Workbook',
  numbers: 'Workbook',
  spreadsheetml: 'Workbook',
  slk: 'Workbook',
  csv: 'CSV table',
  tsv: 'TSV table',
};

/** Sentences whose words recur most in the text, the first one favoured, in their own order. */
function tellingSentences(text: string): string[] {
  const all = sentences(text)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length >= 12 && sentence.length <= 400)
    .slice(0, SENTENCES_WEIGHED);
  const terms = all.map((sentence) => [...new Set(tokenise(sentence))].filter(isTelling));
  const frequency = new Map<string, number>();
  for (const set of terms) for (const term of set) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const scored = all.map((sentence, at) => {
    const set = terms[at]!;
    const sum = set.reduce((total, term) => total + Math.log(1 + (frequency.get(term) ?? 0)), 0);
    return { sentence, at, score: (sum / (set.length + 4)) * (at === 0 ? 2 : 1 + 1 / (at + 2)) };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, SENTENCES)
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => (/[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`));
}

/** The small words as the terms that a text is cut into. */
const smallTerms = new Set([...englishStopWords, ...chineseStopWords].flatMap(tokenise));

const isTelling = (term: string): boolean => !smallTerms.has(term);

/** What of a memory answers the question: its best passages, each with its place. */
export function summariseMatch(passages: readonly { readonly text: string; readonly place: Place }[]): string {
  return passages
    .map(({ text, place }) => {
      const where = describePlace(place);
      return where === '' ? text : `${text} (${where})`;
    })
    .join(' … ');
}

export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > maxCharacters * 0.8 ? cut.slice(0, space) : cut}…`;
}
