/** What the functions wrote: the last lines, for tests and for people. */

export interface LogLine {
  /** Local clock, Unix milliseconds. */
  readonly at: number;
  /** Function that wrote it. */
  readonly source: string;
  readonly text: string;
}

export interface LogRing {
  write(source: string, text: string): void;
  /** Oldest first. */
  lines(): readonly LogLine[];
}

/**
 * @param options.size how many lines are kept
 * @param options.echo gets each line as it comes
 */
export function createLogRing(options: {
  now: () => number;
  size?: number;
  echo?: (line: LogLine) => void;
}): LogRing {
  const { size = 5000 } = options;
  let ring: LogLine[] = [];
  return {
    write(source, text) {
      for (const part of text.split('\n')) {
        if (part === '') continue;
        const line = { at: options.now(), source, text: part };
        ring.push(line);
        options.echo?.(line);
      }
      // Cut in strides: shifting at every line would copy the ring each time.
      if (ring.length > size * 2) ring = ring.slice(-size);
    },
    lines: () => ring.slice(-size),
  };
}
