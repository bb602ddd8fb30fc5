import { isObject, type Json } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import type { Fields } from './word-index.ts';

const MAX_TEXT = 1_000;
const MAX_SERVER_TOOLS = 40;

export interface ToolTexts {
  readonly title: string;
  readonly description: string;
}

/** A tool's title and description, as far as they are texts. */
export function textsOf({ title, description, annotations }: Json): ToolTexts {
  const fallback = isObject(annotations) ? annotations.title : undefined;
  return { title: textOf(title ?? fallback), description: textOf(description) };
}

/** What words of a request are compared with. */
export function fieldsOf(entry: Entry): Fields {
  const { ownName, definition } = entry;
  const { title, description } = textsOf(definition);
  const { names, descriptions, values } = argumentsOf(definition.inputSchema);
  return [
    { text: ownName, weight: 4 },
    { text: title, weight: 3 },
    { text: description, weight: 1.5 },
    { text: keywordsOf(entry), weight: 1.5 },
    { text: names, weight: 0.7 },
    { text: descriptions, weight: 0.4 },
    { text: values, weight: 0.4 },
  ];
}

/** What the meaning of a request is compared with: once in full, once without details, and its keywords if it has any. */
export function meaningsOf(entry: Entry): [full: string, head: string, keywords: string] {
  const { ownName, definition } = entry;
  const { title, description } = textsOf(definition);
  const name = title || spoken(ownName);
  const keywords = keywordsOf(entry);
  const { names } = argumentsOf(definition.inputSchema);
  return [
    `${name}. ${description} ${spoken(names)}`.slice(0, MAX_TEXT),
    `${name}. ${firstSentence(description)}`.slice(0, MAX_TEXT),
    keywords && `${name}: ${keywords}`.slice(0, MAX_TEXT),
  ];
}

/** A built-in tool has them beside its definition, so that lists stay short. */
function keywordsOf({ member, ownName }: Entry): string {
  return member.supervisor.link?.app?.keywordsOf?.(ownName) ?? '';
}

/** One text for a server: what it says of itself, and what its tools are called. */
export function serverFields(key: string, info: ServerInfo | undefined, entries: readonly Entry[]): Fields {
  const { title, description } = aboutServer(key, info);
  return [
    { text: title, weight: 3 },
    { text: description, weight: 1.5 },
    { text: toolNames(entries), weight: 1 },
  ];
}

export function serverMeaning(key: string, info: ServerInfo | undefined, entries: readonly Entry[]): string {
  const { title, description } = aboutServer(key, info);
  return `${title}. ${description} ${toolNames(entries)}`.slice(0, MAX_TEXT);
}

export interface ServerInfo {
  readonly serverInfo: Json;
  readonly instructions?: string;
}

function aboutServer(key: string, info: ServerInfo | undefined): ToolTexts {
  const { name, title, description } = info?.serverInfo ?? {};
  return {
    title: [...new Set([spoken(key), spoken(textOf(name)), textOf(title)])].join(' ').trim(),
    description: `${textOf(description)} ${firstSentence(info?.instructions ?? '')}`.trim(),
  };
}

function toolNames(entries: readonly Entry[]): string {
  return entries
    .slice(0, MAX_SERVER_TOOLS)
    .map(({ ownName }) => spoken(ownName))
    .join(', ');
}

interface Arguments {
  readonly names: string;
  readonly descriptions: string;
  /** Enums and constants. */
  readonly values: string;
}

/** The arguments of a tool, those of nested objects and lists too. */
function argumentsOf(schema: unknown): Arguments {
  const names: string[] = [];
  const descriptions: string[] = [];
  const values: string[] = [];
  const visit = (node: unknown, depth: number) => {
    if (!isObject(node) || depth > 4) return;
    for (const [name, property] of Object.entries(isObject(node.properties) ? node.properties : {})) {
      names.push(name);
      if (isObject(property)) descriptions.push(textOf(property.description));
      visit(property, depth + 1);
    }
    if (Array.isArray(node.enum)) values.push(...node.enum.filter((value) => typeof value === 'string'));
    if (typeof node.const === 'string') values.push(node.const);
    for (const part of [node.items, node.anyOf, node.oneOf, node.allOf].flat()) visit(part, depth + 1);
  };
  visit(schema, 0);
  return { names: names.join(' '), descriptions: descriptions.join(' '), values: values.slice(0, 50).join(' ') };
}

/** An identifier as words. */
function spoken(name: string): string {
  return name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/[._\-/]+/g, ' ');
}

export function firstSentence(text: string): string {
  return /^.*?[.:。](?=\s|$|\p{L})/su.exec(text)?.[0] ?? text;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
