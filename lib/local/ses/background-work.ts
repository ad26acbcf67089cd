/** Work that goes on after the call that started it: deliveries, set-up notifications. */
export interface BackgroundWork {
  /** Runs work later. A rejection is a defect of the local cloud and ends the process. */
  later(work: () => Promise<void>): void;
  /** Resolves when no work is running or waiting to run. */
  idle(): Promise<void>;
}

export function createBackgroundWork(): BackgroundWork {
  const pending = new Set<Promise<void>>();
  return {
    later: (work) => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .finally(() => pending.delete(done));
      pending.add(done);
    },
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
