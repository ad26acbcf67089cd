/** Gathers what is asked for at the same time, so that one call serves it. */

/**
 * Collects what is asked for until no promise job is left to run, then hands it over. Nothing waits for input or output: what asks
 * after an answer arrives is of the next turn.
 *
 * @param take must not throw
 * @returns asks for one
 */
export function gather<T>(take: (all: readonly T[]) => void): (one: T) => void {
  let open: T[] | null = null;
  return (one) => {
    if (open) {
      open.push(one);
      return;
    }
    const all = [one];
    open = all;
    // From a promise job, `nextTick` runs after all promise jobs ("The Node.js event loop", Node.js documentation).
    queueMicrotask(() =>
      process.nextTick(() => {
        open = null;
        take(all);
      }),
    );
  };
}
