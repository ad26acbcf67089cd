/** Work at the same time, none of which outlives its caller. */

/**
 * Waits for all of the work and returns its results, or throws the first error when the rest has ended. `Promise.all`
 * throws at once: what still runs then goes on in the next invocation of the function, with the state of this one.
 */
export async function allDone<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }>;
export async function allDone<T>(work: Iterable<Promise<T>>): Promise<T[]>;
export async function allDone<T>(work: Iterable<Promise<T>>): Promise<T[]> {
  return valuesOf(await Promise.allSettled(work));
}

/** The results of work that has ended; throws the first error. */
export function valuesOf<T>(results: readonly PromiseSettledResult<T>[]): T[] {
  return results.map(resultOf);
}

/** The result of work that has ended; throws its error. */
export function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Works on `atOnce` records at the same time; throws the first error when the others that began have ended. */
export async function each<T>(
  records: readonly T[],
  atOnce: number,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const pending = records.values();
  const worker = async () => {
    for (const record of pending) await work(record);
  };
  await allDone(Array.from({ length: atOnce }, worker));
}
