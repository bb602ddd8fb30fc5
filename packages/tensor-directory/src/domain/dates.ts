/** Microseconds since 1970. */
export type Micros = number;

/** ISO 8601 in UTC with microseconds and no zone letter, as the original shows its dates. */
export function isoMicros(micros: Micros): string {
  const milliseconds = Math.floor(micros / 1000);
  const rest = String(micros - milliseconds * 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}`;
}

/** `20231027_143000`, for names that must not be taken. */
export function compactStamp(micros: Micros): string {
  return new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
}

const DATE = /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) *(?:Z|UTC|([+-]\d\d):?(\d\d))?)?$/i;

/** A date a user gave, comparable with stored ones; without a zone it is UTC. `undefined` when it is none. */
export function parseDate(text: string): string | undefined {
  const parts = DATE.exec(text.trim());
  if (!parts) return undefined;
  const [, day, time = '00:00', hours = '+00', minutes = '00'] = parts;
  // Written out in full: the engine takes what is left open for local time.
  const milliseconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
  if (Number.isNaN(milliseconds)) return undefined;
  const [, fine = ''] = /\.\d{3}(\d{1,3})/.exec(time) ?? [];
  return isoMicros(milliseconds * 1000 + Number(fine.padEnd(3, '0') || 0));
}

/** Milliseconds since 1970 with real fractions, by the monotonic clock; it follows when the system corrects its wall clock. */
export function fineClock({
  wall = Date.now,
  monotonic = () => performance.now(),
  origin = performance.timeOrigin,
}: {
  wall?: () => number;
  monotonic?: () => number;
  origin?: number;
} = {}): () => number {
  let offset = origin;
  return () => {
    // The wall clock gives whole milliseconds, so the true time lies between this and the next one.
    const now = wall();
    const fine = monotonic() + offset;
    if (fine < now) offset += now - fine;
    else if (fine >= now + 1) offset -= fine - now;
    return fine < now || fine >= now + 1 ? now : fine;
  };
}

/** Gives the time in microseconds, each later than the one before, so that uploads keep their order. */
export function steadyClock(now: () => number): () => Micros {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(now() * 1000));
    return last;
  };
}
