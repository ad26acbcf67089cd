/** What ends a local run: Ctrl-C, a closed terminal, or an output that nobody reads. */

export interface Stop {
  readonly signal: AbortSignal;
  /**
   * From now on the first signal aborts, and a second one ends the process at once. Before, a signal ends the process:
   * there is nothing to close, and no listener would be called while code is loaded.
   */
  catchSignals(): void;
}

export function createStop(): Stop {
  const stop = new AbortController();
  // `npm start | head -1`, or a terminal that is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());
  return {
    signal: stop.signal,
    catchSignals() {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(name, () => {
          if (stop.signal.aborted) process.exit(1);
          stop.abort();
        });
      }
    },
  };
}
