export interface PullReport {
  /** Bytes of all layers together. */
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

interface PullEvent {
  readonly status?: unknown;
  readonly digest?: unknown;
  readonly total?: unknown;
  readonly completed?: unknown;
  readonly error?: unknown;
}

/** Reads the lines of JSON that Ollama sends while it downloads a model. */
export function pullReader() {
  const layers = new Map<string, { completed: number; total: number }>();
  let rest = '';
  let reported = -1;
  let isDone = false;
  let failure: string | null = null;

  const take = (event: PullEvent): PullReport[] => {
    if (typeof event.error === 'string') failure = event.error;
    if (event.status === 'success') isDone = true;
    if (typeof event.digest === 'string') {
      const before = layers.get(event.digest);
      layers.set(event.digest, {
        completed: Math.max(before?.completed ?? 0, Number(event.completed) || 0),
        total: Number(event.total) || before?.total || 0,
      });
    }
    const sizes = [...layers.values()];
    const progress = sizes.reduce((sum, { completed }) => sum + completed, 0);
    const total = sizes.reduce((sum, layer) => sum + layer.total, 0);
    // Progress may only grow.
    if (progress <= reported || typeof event.status !== 'string') return [];
    reported = progress;
    return [{ progress, ...(total > 0 && { total }), message: event.status }];
  };

  return {
    read(piece: string): PullReport[] {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      return lines.flatMap((line) => take(parsed(line)));
    },
    /** After the last piece. */
    outcome() {
      take(parsed(rest));
      rest = '';
      const isUnknownModel = failure !== null && /file does not exist|not found/i.test(failure);
      return { isDone, hasFailed: failure !== null, isUnknownModel };
    },
  };
}

function parsed(line: string): PullEvent {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}
