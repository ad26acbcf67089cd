/** Partial batch responses (Lambda developer guide, "Implementing partial batch responses"). */

/** The failed identifiers of a result; all of them when the result is malformed or names others. */
export function failuresOf(result: unknown, given: ReadonlySet<string>): ReadonlySet<string> {
  if (result === null || result === undefined) return new Set();
  const failures = (result as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return given;
  const named = failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
  return named.every((id) => typeof id === 'string' && given.has(id)) ? new Set(named as string[]) : given;
}
