import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fineClock, parseDate, steadyClock } from '../../src/domain/dates.ts';

describe('dates of users, far from Greenwich', () => {
  beforeEach(() => void vi.stubEnv('TZ', 'America/New_York'));
  afterEach(() => void vi.unstubAllEnvs());

  test.each([
    ['2024-01', '2024-01-01T00:00:00.000000'],
    ['2024-01-31', '2024-01-31T00:00:00.000000'],
    ['2024-01-31T12:00:00', '2024-01-31T12:00:00.000000'],
    ['2024-01-31 12:00:00', '2024-01-31T12:00:00.000000'],
    [' 2024-01-31 12:00 ', '2024-01-31T12:00:00.000000'],
    ['2024-01-31 12:00:00 UTC', '2024-01-31T12:00:00.000000'],
    ['2024-01-31t12:00:00z', '2024-01-31T12:00:00.000000'],
    ['2024-01-31 12:00:00 +02:00', '2024-01-31T10:00:00.000000'],
    ['2024-01-31T12:00:00-0530', '2024-01-31T17:30:00.000000'],
    ['2024-01-31 12:00:00.123456', '2024-01-31T12:00:00.123456'],
  ])('%j is %s', (text, date) => expect(parseDate(text)).toBe(date));

  test.each([
    '',
    'yesterday',
    '2024',
    '2024-13',
    '2024-01-31 noon',
    '2024-01-31T',
    '2024-01-31 12:00 EST',
    '2024-01-31 (12:00)',
  ])('%j is none', (text) => expect(parseDate(text)).toBeUndefined());
});

test('microseconds are those of a real clock, not counted up from whole milliseconds', () => {
  let monotonic = 1000.25;
  let wall = 5000.25;
  const clock = steadyClock(fineClock({ wall: () => Math.floor(wall), monotonic: () => monotonic, origin: 4000 }));
  const pass = (milliseconds: number) => {
    monotonic += milliseconds;
    wall += milliseconds;
  };
  expect(clock()).toBe(5_000_250);
  pass(0.5);
  expect(clock()).toBe(5_000_750);
  pass(10.25);
  expect(clock()).toBe(5_011_000);
  // The system sets its clock forward by an hour.
  wall += 3_600_000;
  pass(0.5);
  expect(Math.abs(clock() - wall * 1000)).toBeLessThanOrEqual(1000);
  const real = fineClock();
  const fractions = new Set(Array.from({ length: 2000 }, () => Math.floor(real() * 1000) % 1000));
  expect(fractions.size).toBeGreaterThan(5);
});
