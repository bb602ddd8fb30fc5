import type { Json } from '@atoll-mcp/core';
import type { Catalog, Member } from '../catalog/catalog.ts';

/** One page of a server's resources, as the caller sees them. */
type ListPage = (member: Member, params: Json) => Promise<Json>;

/** The resources of a catalog without those that a limited caller does not see: in-process servers filter their own. */
export async function seenResources(
  catalog: Pick<Catalog, 'members' | 'resources' | 'ownerOf'>,
  listPage: ListPage,
): Promise<Json[]> {
  const inProcess = catalog.members.filter(({ supervisor: { link }, isOwn }) => link?.app && !isOwn);
  const seen = new Set<unknown>();
  for (const member of inProcess) for (const { uri } of await listAll(member, listPage)) seen.add(uri);
  return catalog.resources.filter(({ uri }) => {
    const owner = catalog.ownerOf(String(uri));
    return seen.has(uri) || (owner !== undefined && !inProcess.includes(owner));
  });
}

async function listAll(member: Member, listPage: ListPage): Promise<Json[]> {
  if (member.supervisor.link?.capabilities.resources === undefined) return [];
  const found: Json[] = [];
  for (let params: Json = {}; ; ) {
    const { resources, nextCursor } = await listPage(member, params);
    found.push(...(resources as Json[]));
    if (nextCursor === undefined) return found;
    params = { cursor: nextCursor };
  }
}
