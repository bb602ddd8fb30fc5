import type { Catalog, Entry } from '../catalog/catalog.ts';

interface BuiltInTool {
  readonly server: string;
  readonly tool: string;
}

export const UPLOAD_TENSOR: BuiltInTool = { server: 'tensor-directory', tool: 'upload_tensor' };

/** A tool by its own name, whatever the view lists it as. Other servers' tools of that name are not meant. */
export function findBuiltIn({ tools }: Catalog, { server, tool }: BuiltInTool): Entry | undefined {
  return tools.entries.find(({ member, ownName }) => {
    const { key, upstream } = member.supervisor;
    return key === server && ownName === tool && upstream.kind === 'in-process';
  });
}
