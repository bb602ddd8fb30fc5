import type { FileGrants, GrantedFile } from './interface.ts';

/** Looks an id up and checks the name. No path is ever built from what the code asks for. */
export async function findGranted(
  grants: FileGrants | undefined,
  id: string,
  name: string,
): Promise<GrantedFile | { readonly error: string }> {
  try {
    const granted = await grants?.find(id);
    if (!granted) return { error: `No file with the id '${id}'` };
    if (granted.name !== name)
      return { error: `The file with the id '${id}' is named '${granted.name}', not '${name}'` };
    return granted;
  } catch {
    return { error: `The file with the id '${id}' cannot be read` };
  }
}
