/** The `Prefer` header (RFC 7240), of which sends know `wait=<seconds>` (contract, section 2). */
import type { WorkspaceId } from '../core/ids.ts';
import type { AcceptedEmail } from '../services/sending/accept-email.ts';

const waitSecondsMax = 20;

/** The seconds of `wait=<1..20>`, or null. A preference that is malformed or out of range is ignored, as the RFC has it. */
export function preferredWait(header: string | undefined): number | null {
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,3})"?(?=$|[,;\s])/i.exec(header ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 && seconds <= waitSecondsMax ? seconds : null;
}

/** The email after its hand-off where the request prefers to wait for that, else as it was committed. */
export async function submitWithinWait(
  workspaceId: WorkspaceId,
  committed: AcceptedEmail,
  header: string | undefined,
): Promise<AcceptedEmail> {
  const seconds = preferredWait(header);
  if (seconds === null) return committed;
  // Loaded when asked for: composing and handing off is half of the bundle, and few requests want it.
  const { submitNow } = await import('../services/sending/submit-now.ts');
  return { ...committed, email: await submitNow(workspaceId, committed, seconds) };
}
