// Which licences a dependency may have: by the list of what is installed, and by the packages as they are published.

const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Use, copies and changes are free as long as its notice is kept.
  'NIST-Software',
  // A dedication to the public domain with a licence for where that does not hold; OSI-approved.
  'Unlicense',
  'Zlib',
]);

/** Packages whose manifest only points to a file; here with what that file says. */
const READ = new Map([['h5wasm', 'NIST-Software AND BSD-3-Clause']]);

/** What was read in the file of a package that names no licence. */
export const readLicence = (name) => READ.get(name);

/** Of several to choose from, one must be permissive; of several that hold together, all. */
export function isPermissive(licence) {
  const choices = String(licence).replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => PERMISSIVE.has(part)));
}
