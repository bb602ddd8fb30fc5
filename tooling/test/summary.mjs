// What a person wants to know at the end: how much ran, what failed and how to run it alone, what was left out and why.
import { NEEDS } from './needs.mjs';

/** With `isStrict` a machine has to have everything that can be installed on it. */
export function summaryOf(reports, { seconds, isStrict = false }) {
  const passed = sum(reports, ({ passed }) => passed);
  const leftOut = reports.flatMap(({ leftOut }) => leftOut);
  const missing = isStrict
    ? [...new Set(leftOut.map(({ needs }) => needs))].filter((need) => NEEDS[need]?.isInstallable)
    : [];
  const failed = sum(reports, ({ failures }) => failures.length) + missing.length;
  const lines = [
    '',
    ...table(reports),
    '',
    ...(leftOut.length > 0 ? ['Left out, because these are missing:', ...reasons(leftOut), ''] : []),
    ...(failed > 0 ? ['Failed:', ...reports.flatMap(failuresOf)] : []),
    ...missing.map((need) => `  ${NEEDS[need].what} is missing, and nothing may be left out for that in CI`),
    ...(failed > 0 ? [''] : []),
    `Took ${duration(seconds)}.`,
    `${passed} passed, ${failed || (passed === 0 ? 1 : 0)} failed`,
  ];
  return { text: `${lines.join('\n')}\n`, isGood: failed === 0 && passed > 0 };
}

function table(reports) {
  const rows = [...reports]
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ folder, passed, failures, leftOut, seconds }) => [
      folder,
      passed,
      failures.length,
      leftOut.length,
      `${seconds.toFixed(0)} s`,
    ]);
  const cells = [['Package', 'passed', 'failed', 'left out', 'time'], ...rows].map((row) => row.map(String));
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
}

/** One line for each thing that is missing: how many tests, or whole files, need it, and how to get it. */
function reasons(leftOut) {
  const needs = [...new Set(leftOut.map(({ needs }) => needs))];
  return needs.map((need) => {
    const all = leftOut.filter(({ needs }) => needs === need);
    const tests = all.filter(({ name }) => name).length;
    const files = all.length - tests;
    const counts = [tests && plural(tests, 'test'), files && plural(files, 'file')].filter(Boolean).join(' and ');
    const { what, get } = NEEDS[need] ?? { what: 'something that they do not name', get: 'see the test' };
    return `  ${counts}: ${what}. To get it: ${get}`;
  });
}

function failuresOf({ folder, failures }) {
  return failures.flatMap(({ file, name, reason }) => [
    `  ${[folder, file].filter(Boolean).join('/')}${name ? ` > ${name}` : ''}${reason ? `: ${reason}` : ''}`,
    `    alone: ${aloneCommand(folder, file, name)}`,
  ]);
}

/** The command that runs one test, or one file, or one package. */
export function aloneCommand(folder, file, name) {
  const pattern = name && ` -t '${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''")}'`;
  return `cd ${folder} && npx vitest run${file ? ` ${file}` : ''}${pattern ?? ''}`;
}

function duration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sum(items, figure) {
  return items.reduce((total, item) => total + figure(item), 0);
}
