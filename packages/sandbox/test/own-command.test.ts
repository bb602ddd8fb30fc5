import { expect, test } from 'vitest';
import { ownCommand, setupCommand } from '../src/own-command.ts';

test.each([
  '/home/ada/.npm/_npx/1f/node_modules/@atoll-mcp/sandbox/dist/cli.js',
  '/usr/lib/node_modules/a/dist/cli.js',
])('a package from a registry (%s) is started by npx, for npm puts its program on no path', (program) =>
  expect(ownCommand(['setup-python'], program)).toBe('npx @atoll-mcp/sandbox setup-python'),
);

test('a clone is started by the path of its program, which may hold anything', () => {
  expect(ownCommand(['doctor'], '/src/atoll/dist/cli.js')).toBe('node /src/atoll/dist/cli.js doctor');
  expect(ownCommand(['doctor'], "/my atoll's/cli.js")).toBe(`node '/my atoll'\\''s/cli.js' doctor`);
});

test('the folder that was asked for is named', () => {
  expect(setupCommand('/opt/py')).toMatch(/ setup-python --python-dir \/opt\/py$/);
  expect(setupCommand()).toMatch(/ setup-python$/);
});
