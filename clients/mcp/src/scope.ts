/** What the API key may do, so that tools that it cannot use are not offered. */
import { ForbiddenError, NotFoundError, type Parley, UnauthorizedError } from '../../typescript/src/index.ts';
import type { NeededScope } from './tool.ts';

/** The id of no email. */
const nobody = `eml_${'0'.repeat(32)}`;

/**
 * The scope of the key of a client. No operation tells it: the cancellation of an email that does not exist is refused with
 * `forbidden` to a key that only reads, because the scope is checked before the path (docs/concepts/authentication.md).
 *
 * @returns null where the service cannot be reached or is busy: then every tool is offered, and a call answers what is wrong
 * @throws UnauthorizedError for a key that is not valid
 */
export async function scopeOf(parley: Parley, signal?: AbortSignal): Promise<NeededScope | null> {
  try {
    await parley.emails.cancel(nobody, { signal, timeoutMs: 10_000, maxRetries: 0 });
  } catch (error) {
    if (error instanceof UnauthorizedError) throw error;
    if (error instanceof ForbiddenError) return 'read';
    if (error instanceof NotFoundError) return 'sending';
  }
  return null;
}
