/** Whether the table answers, for `GET /health`: everybody may ask, so that the answer is kept for some seconds. */
import { now, within } from '../../adapters/clock.ts';
import { findWorkspace } from '../../storage/workspaces/workspaces.ts';

/** One read of a function instance in as long a time. */
const keptMs = 5000;
/** Below the timeout of those who ask, such as Route 53 (four seconds). */
const patienceMs = 2000;
/** No slug: nothing is found. */
const nobody = '-';

let kept: { readonly answer: Promise<boolean>; readonly at: number } | null = null;

/** @param read rejects where the table does not answer; tests have their own */
export async function isTableReadable(
  read: () => Promise<unknown> = () => findWorkspace(nobody),
): Promise<boolean> {
  const at = now();
  if (!kept || Math.abs(at - kept.at) >= keptMs) kept = { answer: ask(read), at };
  return await kept.answer;
}

async function ask(read: () => Promise<unknown>): Promise<boolean> {
  const reading = read().then(
    () => true,
    () => false,
  );
  return (await within(patienceMs, () => {}, reading)) ?? false;
}
