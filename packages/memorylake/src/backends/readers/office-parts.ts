import { posix } from 'node:path';
import { tagsOf, unescapeXml } from '../../domain/text/xml-text.ts';
import type { ZipFile } from '../zip.ts';

/** What a part of an Office document refers to: another part by its path in the archive, or an address outside. */
export interface PartLink {
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

/** The links of a part by their id. */
export function linksOf(zip: ZipFile, part: string): Map<string, PartLink> {
  const folder = posix.dirname(part);
  const xml = zip.text(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)) ?? '';
  const links = new Map<string, PartLink>();
  for (const link of tagsOf(xml, 'Relationship')) {
    if (!link.Id || link.Target === undefined) continue;
    const isExternal = link.TargetMode === 'External';
    const inside = link.Target.startsWith('/') ? link.Target.slice(1) : posix.join(folder, link.Target);
    links.set(link.Id, {
      type: link.Type?.split('/').at(-1) ?? '',
      target: isExternal ? link.Target : inside,
      isExternal,
    });
  }
  return links;
}

/** The first part of a package: Office names it in the links of the archive itself. */
export function mainPart(zip: ZipFile, usual: string): string {
  if (zip.has(usual)) return usual;
  for (const { type, target } of linksOf(zip, '').values())
    if (type === 'officeDocument' && zip.has(target)) return target;
  return usual;
}

export function titleOf(zip: ZipFile): string | undefined {
  const title = /<dc:title[^>]*>([^<]*)</.exec(zip.text('docProps/core.xml') ?? '')?.[1];
  return title === undefined ? undefined : unescapeXml(title);
}

/** The name of an element or attribute without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its local name, whatever its prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  for (const key in attributes) if (localName(key) === name) return attributes[key];
  return undefined;
}

/** The target of a link when it says more than the text it stands under. */
export function shownTarget(text: string, target: string | undefined): string {
  if (target === undefined || !/^(?:https?|mailto|ftp):/i.test(target)) return '';
  const plain = (value: string) =>
    value
      .toLowerCase()
      .replace(/^(?:https?:\/\/|mailto:)/, '')
      .replace(/\/$/, '')
      .trim();
  return plain(text) === plain(target) ? '' : ` (${target})`;
}
