import { crc32, deflateRawSync } from 'node:zlib';
import { CFB } from '@e965/xlsx';

/** A zip archive of the given parts; `declare` lies about a part's expanded size. */
export function zip(
  parts: Record<string, string | Buffer>,
  options: { encrypted?: boolean; declare?: Record<string, number> } = {},
): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(options.encrypted ? 1 : 0x800, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc(data), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(options.declare?.[name] ?? data.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), head, tail, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), end]);
}

// Node 20.19 may lack zlib.crc32; the readers never look at it.
const crc = (data: Buffer): number => (typeof crc32 === 'function' ? crc32(data) : 0);

const OFFICE = 'http://schemas.openxmlformats.org';
const MAIN = `${OFFICE}/spreadsheetml/2006/main`;

/** A workbook written by hand: sheets by name, each the inside of `<sheetData>` and what follows it. */
export function xlsx(
  sheets: Record<string, string>,
  more: { strings?: string; styles?: string; date1904?: boolean; parts?: Record<string, string> } = {},
): Buffer {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const part = (name: string, type: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('');
  const calendar = more.date1904 ? '<workbookPr date1904="1"/>' : '';
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('xl/workbook.xml', 'sheet.main')}${names.map((_, at) => part(`xl/worksheets/sheet${at + 1}.xml`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/officeDocument/2006/relationships">${calendar}<sheets>${list}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships">${names.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('')}</Relationships>`,
    ...(more.strings && { 'xl/sharedStrings.xml': `<sst>${more.strings}</sst>` }),
    ...(more.styles && { 'xl/styles.xml': more.styles }),
    ...more.parts,
  };
  names.forEach((name, at) => {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</worksheet>`;
  });
  return zip(parts);
}

/** Rows of plain values as the inside of `<sheetData>`. */
export function rows(values: readonly (readonly (string | number)[])[]): string {
  const xml = values.map((row, r) => {
    const cells = row.map((value, c) => {
      const place = `${String.fromCharCode(65 + c)}${r + 1}`;
      return typeof value === 'number'
        ? `<c r="${place}"><v>${value}</v></c>`
        : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
    });
    return `<row r="${r + 1}">${cells.join('')}</row>`;
  });
  return `${xml.join('')}</sheetData>`;
}

export function docx(body: string, title = ''): Buffer {
  return zip({
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'docProps/core.xml': `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
  });
}

export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Drawing commands that write lines of text; each piece is `[x, y, text]`. */
export const pdfText = (pieces: readonly (readonly [number, number, string])[]): string =>
  pieces.map(([x, y, text]) => `BT /F1 11 Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`).join('\n');

/** A PDF of pages with the given drawing commands. */
export function pdf(
  pages: readonly string[],
  options: { image?: boolean; encrypted?: boolean; annotations?: readonly string[]; form?: boolean } = {},
): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const add = (text: string): number => objects.push(text);
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const image = options.image
    ? add(
        '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n\x7f\nendstream',
      )
    : 0;
  const numbers = (options.annotations ?? []).map((annotation) => `${add(annotation)} 0 R`).join(' ');
  const annotations = numbers === '' ? '' : ` /Annots [${numbers}]`;
  if (options.form) objects[0] = `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${numbers}] >> >>`;
  const kids = pages.map((content) => {
    const drawn = `${content}${image ? '\nq 500 0 0 700 50 50 cm /Im1 Do Q' : ''}`;
    const stream = add(`<< /Length ${Buffer.byteLength(drawn, 'latin1')} >>\nstream\n${drawn}\nendstream`);
    const resources = `<< /Font << /F1 ${font} 0 R >>${image ? ` /XObject << /Im1 ${image} 0 R >>` : ''} >>`;
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${stream} 0 R /Resources ${resources}${annotations} >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`;
  const locked = options.encrypted
    ? add(`<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`)
    : 0;
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`;
  const security = locked ? ` /Encrypt ${locked} 0 R /ID [<00><00>]` : '';
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R${security} >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}

/** A small PDF whose forms each draw the next one several times: what it shows grows without bound. */
export function nestedForms(depth: number, times: number): Buffer {
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
  const form = (at: number): string => {
    const content = at === depth ? pdfText([[72, 700, 'deep']]) : '/X Do '.repeat(times);
    const resources = at === depth ? `<< ${font} >>` : `<< /XObject << /X ${at + 5} 0 R >> >>`;
    return `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  };
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    '<< /Length 5 >>\nstream\n/X Do\nendstream',
    ...Array.from({ length: depth }, (_, at) => form(at + 1)),
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF`, 'latin1');
}

/** Microsoft's compound file of whole streams, named with their storages. */
export function compoundOf(streams: Readonly<Record<string, Buffer | string>>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, Buffer.from(content));
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}

/** A mail of Outlook: its texts by the number of the property, and what is attached. */
export function msg(texts: Readonly<Record<string, string>>, attached: readonly (readonly [string, Buffer])[]): Buffer {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const streams: Record<string, Buffer> = { '__properties_version1.0': Buffer.alloc(32) };
  for (const [id, text] of Object.entries(texts)) streams[`__substg1.0_${id}001F`] = wide(text);
  for (const [at, [name, bytes]] of attached.entries()) {
    const storage = `__attach_version1.0_#${String(at).padStart(8, '0')}`;
    streams[`${storage}/__properties_version1.0`] = Buffer.alloc(8);
    streams[`${storage}/__substg1.0_3707001F`] = wide(name);
    streams[`${storage}/__substg1.0_37010102`] = bytes;
  }
  return compoundOf(streams);
}

/** Microsoft's compound file, as far as its signature and the names of its streams. */
export const compound = (...streams: string[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(504),
    ...streams.map((name) => Buffer.from(name, 'utf16le')),
    Buffer.alloc(512),
  ]);
