/** What the API key may do, so that tools that it cannot use are not offered. */
import { ForbiddenError, NotFoundError, type Parley, UnauthorizedError } from '../../typescript/src/index.ts';
import type { NeededScope } from './tool.ts';

/** The id of no email. */
const nobody = `eml_${'0'.repeat(32)}`;

/**
 * The scope of the key of a client. No operation tells it: what is asked of an email that does not exist is refused with
 * `forbidden` to a key that may not ask, because the scope is checked before the path (docs/concepts/authentication.md).
 *
 * @returns null where the service cannot be reached or is busy: then every tool is offered, and a call answers what is wrong
 * @throws UnauthorizedError for a key that is not valid
 */
export async function scopeOf(parley: Parley, signal?: AbortSignal): Promise<NeededScope | null> {
  const options = { signal, timeoutMs: 10_000, maxRetries: 0 };
  const mayApprove = await isAllowed(() => parley.emails.approve(nobody, {}, options));
  if (mayApprove !== false) return mayApprove && 'sending';
  const mayDiscard = await isAllowed(() => parley.emails.cancel(nobody, options));
  return mayDiscard === null ? null : mayDiscard ? 'draft' : 'read';
}

/** null: not known. @throws UnauthorizedError */
async function isAllowed(ask: () => Promise<unknown>): Promise<boolean | null> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof UnauthorizedError) throw error;
    if (error instanceof ForbiddenError) return false;
    if (error instanceof NotFoundError) return true;
  }
  return null;
}
