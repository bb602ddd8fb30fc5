import { listMemories } from './lake/lake.ts';
import { linkTo } from './route.ts';
import { readStatus } from './status.ts';
import { searchTensors } from './tensors.ts';
import { loadTools } from './tools.ts';

/** Something one can go to. */
export interface Destination {
  readonly kind: 'Page' | 'Tool' | 'Server' | 'Document' | 'Tensor';
  readonly title: string;
  readonly hint?: string;
  readonly href: string;
}

/** What is known without asking for each word: tools and servers. */
export async function fixedDestinations(signal: AbortSignal): Promise<readonly Destination[]> {
  const [tools, status] = await Promise.allSettled([loadTools(), readStatus(signal)]);
  return [
    ...(status.status === 'fulfilled' ? status.value.upstreams : []).map(
      ({ key, state }): Destination => ({ kind: 'Server', title: key, hint: state, href: linkTo('servers', key) }),
    ),
    ...(tools.status === 'fulfilled' ? tools.value : []).map(
      ({ name, title }): Destination => ({
        kind: 'Tool',
        title: title ?? name,
        ...(title && title !== name && { hint: name }),
        href: linkTo('tools', name),
      }),
    ),
  ];
}

/** Documents and tensors with these words in their names; whichever server is not there has none. */
export async function foundDestinations(words: string, signal: AbortSignal): Promise<readonly Destination[]> {
  if (words.length < 2) return [];
  const [memories, tensors] = await Promise.allSettled([
    listMemories(0, 6, signal, { name_contains: words }),
    searchTensors({ text: words }, 0, 6, signal),
  ]);
  return [
    ...(memories.status === 'fulfilled' ? memories.value.memories : []).map(
      ({ id, name }): Destination => ({ kind: 'Document', title: name, href: linkTo('lake', id) }),
    ),
    ...(tensors.status === 'fulfilled' ? tensors.value.tensors : []).map(
      ({ uuid, user_name: name, original_shape: shape }): Destination => ({
        kind: 'Tensor',
        title: name,
        hint: shape,
        href: linkTo('tensors', uuid),
      }),
    ),
  ];
}

/** How well a title fits: 0 where it begins with the words, 1 where one of its words does, else 2. */
export function rankOf({ title }: Destination, words: string): number {
  const [text, start] = [title.toLowerCase(), words.toLowerCase()];
  if (text.startsWith(start)) return 0;
  return text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start)) ? 1 : 2;
}

export function fits({ title, hint = '' }: Destination, words: string): boolean {
  const text = `${title} ${hint}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
