/** Responses that the OpenAPI document does not describe: each fails the test that received it. */

/** On the global object, because Vitest loads set-up files again for each file. */
const holder = globalThis as { [key: symbol]: string[] | undefined };
const key = Symbol.for('parley.test.mismatches');

export function noteMismatch(detail: string): void {
  holder[key] = [...(holder[key] ?? []), detail];
}

/** Those since the last call. */
export function takeMismatches(): readonly string[] {
  const noted = holder[key] ?? [];
  holder[key] = [];
  return noted;
}
