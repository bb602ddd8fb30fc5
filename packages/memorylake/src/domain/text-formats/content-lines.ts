import type { Cell, ReadSink } from '../document.ts';

/** A part of a calendar or an address book: `VEVENT`, `VCARD`, with its properties. */
interface Component {
  readonly kind: string;
  readonly line: number;
  readonly properties: Property[];
}

interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

/** What a property is called when it is shown. */
type Labels = readonly (readonly [property: string, label: string])[];

const EVENT: Labels = [
  ['SUMMARY', 'Summary'],
  ['DTSTART', 'Start'],
  ['DTEND', 'End'],
  ['DUE', 'Due'],
  ['LOCATION', 'Location'],
  ['ORGANIZER', 'Organizer'],
  ['ATTENDEE', 'Attendees'],
  ['STATUS', 'Status'],
  ['RRULE', 'Repeats'],
  ['URL', 'Link'],
  ['DESCRIPTION', 'Description'],
];
const CARD: Labels = [
  ['FN', 'Name'],
  ['ORG', 'Organization'],
  ['TITLE', 'Title'],
  ['TEL', 'Phone'],
  ['EMAIL', 'Email'],
  ['ADR', 'Address'],
  ['BDAY', 'Birthday'],
  ['URL', 'Link'],
  ['NOTE', 'Note'],
];
const SHOWN: ReadonlyMap<string, Labels> = new Map([
  ['VEVENT', EVENT],
  ['VTODO', EVENT],
  ['VJOURNAL', EVENT],
  ['VCARD', CARD],
]);

/** Reads calendars (.ics) and address books (.vcf): a block and a row for each entry, without photos and alarms. */
export function readContentLines(text: string, sink: ReadSink): void {
  const entries = componentsOf(text).flatMap((component) => {
    const labels = SHOWN.get(component.kind);
    return labels ? [{ component, labels, values: labels.map(([name]) => valuesOf(component, name)) }] : [];
  });
  for (const { component, labels, values } of entries) {
    const lines = values.flatMap((value, at) =>
      value === '' ? [] : [at === 0 ? value : `${labels[at]![1]}: ${value}`],
    );
    if (lines.length > 0) sink.text({ text: lines.join('\n'), line: component.line });
  }
  for (const labels of new Set(entries.map((entry) => entry.labels))) {
    const rows = entries.filter((entry) => entry.labels === labels).map(({ values }) => values.map(cellOf));
    const used = labels.map((_, at) => rows.some((row) => row[at] !== null));
    const cut = (row: readonly Cell[]) => ({ cells: row.filter((_, at) => used[at]) });
    sink.table({ headerRows: 1, rows: [cut(labels.map(([, label]) => label)), ...rows.map(cut)] });
  }
}

const cellOf = (value: string): Cell => (value === '' ? null : value);

function componentsOf(text: string): Component[] {
  const found: Component[] = [];
  const open: Component[] = [];
  for (const { line, content } of unfold(text)) {
    const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(content);
    if (!match) continue;
    const [name, parameters, value] = [match[1]!.toUpperCase(), match[2]!, match[3]!];
    if (name === 'BEGIN') {
      const component = { kind: value.trim().toUpperCase(), line, properties: [] };
      found.push(component);
      open.push(component);
    } else if (name === 'END') open.pop();
    else open.at(-1)?.properties.push({ name, parameters, value });
  }
  return found;
}

/** Long lines go on in the next one after a blank, or after `=` where they are quoted-printable. */
function unfold(text: string): { line: number; content: string }[] {
  const lines: { line: number; content: string }[] = [];
  for (const [at, content] of text.split(/\r\n|\n|\r/).entries()) {
    const last = lines.at(-1);
    if (last && /^[ \t]/.test(content)) last.content += content.slice(1);
    else if (last && /quoted-printable/i.test(last.content) && last.content.endsWith('='))
      last.content = last.content.slice(0, -1) + content;
    else lines.push({ line: at + 1, content });
  }
  return lines;
}

function valuesOf({ properties }: Component, wanted: string): string {
  return properties
    .filter((one) => one.name === wanted)
    .map(shownValue)
    .filter((value) => value !== '')
    .join(', ');
}

function shownValue({ name, parameters, value }: Property): string {
  const plain = /quoted-printable/i.test(parameters) ? decodeQuoted(value) : value;
  if (/^(?:DTSTART|DTEND|DUE)$/.test(name)) return timeOf(plain, /TZID=([^;:]+)/i.exec(parameters)?.[1]);
  if (name === 'ATTENDEE' || name === 'ORGANIZER') {
    const person = /CN="?([^";:]+)/i.exec(parameters)?.[1];
    const address = plain.replace(/^mailto:/i, '');
    return person && person !== address ? `${person} <${address}>` : address;
  }
  const parts = name === 'ADR' || name === 'ORG' ? plain.split(/(?<!\\);/) : [plain];
  return parts
    .map((part) => part.replace(/\\n/gi, '\n').replace(/\\(.)/g, '$1').trim())
    .filter((part) => part !== '')
    .join(', ');
}

/** `20260301T090000` as `2026-03-01 09:00:00`, with its zone. */
function timeOf(value: string, zone: string | undefined): string {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value.trim());
  if (!match) return value;
  const [, year, month, day, hours, minutes, seconds, isUtc] = match;
  const date = `${year}-${month}-${day}`;
  if (hours === undefined) return date;
  return `${date} ${hours}:${minutes}:${seconds}${isUtc ? 'Z' : zone ? ` ${zone}` : ''}`;
}

function decodeQuoted(value: string): string {
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /[^\0-\u00ff]/.test(bytes) ? value : Buffer.from(bytes, 'latin1').toString('utf8');
}
