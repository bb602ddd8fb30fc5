import { zip } from './make-files.ts';

const relation = (id: string, type: string, target: string, external = false): string =>
  `<Relationship Id="${id}" Type="http://schemas/relationships/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`;

export const relations = (...links: Parameters<typeof relation>[]): string =>
  `<Relationships>${links.map((link) => relation(...link)).join('')}</Relationships>`;

/** A Word document with parts beside its body. */
export function wordDocument(
  body: string,
  parts: Record<string, string> = {},
  links: Parameters<typeof relation>[] = [],
): Buffer {
  return zip({
    'word/document.xml': `<w:document xmlns:w="w" xmlns:m="m"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(...links),
    ...parts,
  });
}

/** A presentation: each slide is the inside of its shape tree, with links and more parts. */
export function pptx(slides: readonly string[], parts: Record<string, string> = {}): Buffer {
  const list = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('');
  return zip({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, at) => [`rId${at + 1}`, 'slide', `slides/slide${at + 1}.xml`] as [string, string, string]),
    ),
    ...Object.fromEntries(
      slides.map((slide, at) => [`ppt/slides/slide${at + 1}.xml`, `<p:sld><p:spTree>${slide}</p:spTree></p:sld>`]),
    ),
    ...parts,
  });
}

export const shape = (text: string, placeholder = 'body'): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

export function odf(kind: 'text' | 'presentation', body: string, styles = ''): Buffer {
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:body>${body}</office:body></office:document-content>`,
    'styles.xml': `<office:document-styles><office:master-styles>${styles}</office:master-styles></office:document-styles>`,
    'meta.xml': '<office:meta><dc:title>A title</dc:title></office:meta>',
  });
}

export function epub(chapters: Record<string, string>, more: Record<string, string> = {}): Buffer {
  const names = Object.keys(chapters);
  const items = names
    .map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`)
    .join('');
  const spine = names.map((_, at) => `<itemref idref="c${at}"/>`).join('');
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata><dc:title>The Book</dc:title></metadata><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    ...Object.fromEntries(names.map((name) => [`OEBPS/${name}`, `<html><body>${chapters[name]}</body></html>`])),
    ...more,
  });
}
