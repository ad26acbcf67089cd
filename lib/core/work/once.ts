/** Reads that several callers share. */

/** A read that is made once for the same arguments; a failed read is repeated. Results are kept as long as the function. */
export function once<A extends readonly string[], T>(
  read: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return async (...args) => {
    const key = args.join('\n');
    const begun = reads.get(key) ?? read(...args);
    reads.set(key, begun);
    try {
      return await begun;
    } catch (error) {
      reads.delete(key);
      throw error;
    }
  };
}
