/** What ends a local run: Ctrl-C, a closed terminal, or an output that nobody reads. */

/** Aborted by the first signal; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  // `npm start | head -1`, or a terminal that is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());
  return stop.signal;
}
