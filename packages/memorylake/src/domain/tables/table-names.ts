const RESERVED = new Set(
  'all and as by case create delete drop else end exists from group having in index insert into is join like limit not null on or order select set table then union update using values when where with'.split(
    ' ',
  ),
);

/** A name that SQL takes without quotes: `Q3 Sales (final).xlsx`, sheet `North` → `q3_sales_final_north`. */
export function tableNameFor(fileName: string, sheet: string, sheets: number): string {
  const file = slug(fileName.replace(/\.[^.]*$/, ''));
  const own = slug(sheet);
  const name = sheets === 1 || own === file || own === '' ? file : file === '' ? own : `${file}_${own}`;
  const safe = name === '' ? 'table' : name;
  return /^\d/.test(safe) || RESERVED.has(safe) ? `t_${safe}` : safe;
}

/** The first of `name`, `name_2`, `name_3` … that is free. */
export async function freeName(name: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  let free = name;
  for (let n = 2; await isTaken(free); n++) free = `${name}_${n}`;
  return free;
}

// Chinese and other letters are fine in SQL names; only what would need quotes goes.
function slug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 48)
    .replace(/_+$/, '');
}
