/** The last log lines of the functions. */

export interface LogLine {
  /** Local clock, Unix milliseconds. */
  readonly at: number;
  /** Function name. */
  readonly source: string;
  readonly text: string;
}

export interface LogRing {
  write(source: string, text: string): void;
  /** Oldest first. */
  lines(): readonly LogLine[];
  /** Calls a listener with each further line. */
  onLine(listener: (line: LogLine) => void): void;
}

/** Whether a line tells of a failure: an event of level WARN or ERROR, or text that is no event, such as the trace of a failed invocation. */
export function isProblem({ text }: LogLine): boolean {
  if (!text.startsWith('{')) return true;
  return /"level":"(WARN|ERROR)"/.test(text);
}

/**
 * @param options.size number of lines kept
 * @param options.echo called with each new line
 */
export function createLogRing(options: {
  now: () => number;
  size?: number;
  echo?: (line: LogLine) => void;
}): LogRing {
  const { size = 5000 } = options;
  let ring: LogLine[] = [];
  const listeners = options.echo ? [options.echo] : [];
  return {
    write(source, text) {
      for (const part of text.split('\n')) {
        if (part === '') continue;
        const line = { at: options.now(), source, text: part };
        ring.push(line);
        for (const listener of listeners) listener(line);
      }
      // Truncates rarely: each truncation copies the list.
      if (ring.length > size * 2) ring = ring.slice(-size);
    },
    lines: () => ring.slice(-size),
    onLine: (listener) => void listeners.push(listener),
  };
}
