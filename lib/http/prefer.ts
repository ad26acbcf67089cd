/** The preference `wait=<seconds>` of sends (RFC 7240, section 4.3; docs/concepts/sending.md). */
import type { WorkspaceId } from '../core/ids.ts';
import { Problem } from '../core/problems.ts';
import type { AcceptedEmail } from '../services/sending/accept-email.ts';
import { preferenceApplied } from './send-operation.ts';

const waitSecondsMax = 20;

/** The seconds of `wait=<seconds>`, 20 at most, or null. An invalid preference is ignored (RFC 7240, section 2). */
export function preferredWait(header: string | undefined): number | null {
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?(?=$|[,;\s])/i.exec(header ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 ? Math.min(seconds, waitSecondsMax) : null;
}

/**
 * Submits the email within the request when it prefers to wait, and returns the email as it is then, with the seconds that applied.
 * Replays, scheduled and held emails do not wait.
 */
export async function submitWithinWait(
  workspaceId: WorkspaceId,
  committed: AcceptedEmail,
  header: string | undefined,
): Promise<AcceptedEmail & { readonly waitSeconds: number | null }> {
  const { email, replayed, pacing } = committed;
  // An email that pacing holds leaves in its turn.
  const mayWait = !replayed && email.status === 'queued' && !pacing;
  const waitSeconds = mayWait ? preferredWait(header) : null;
  if (waitSeconds === null) return { ...committed, waitSeconds };
  // Loaded on demand: composing and submitting is half of the bundle, and few requests need it.
  const { submitNow } = await import('../services/sending/submit-now.ts');
  try {
    return { ...committed, email: await submitNow(workspaceId, email, waitSeconds), waitSeconds };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, cause } = error;
    throw new Problem(code, message, {
      cause,
      headers: { ...error.headers, ...preferenceApplied(waitSeconds) },
    });
  }
}
