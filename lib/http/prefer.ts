/** The preference `wait=<seconds>` of sends (RFC 7240, section 4.3; docs/concepts/sending.md). */
import type { WorkspaceId } from '../core/ids.ts';
import type { AcceptedEmail } from '../services/sending/accept-email.ts';

const waitSecondsMax = 20;

/** The seconds of `wait=<1..20>`, or null. An invalid preference is ignored (RFC 7240, section 2). */
export function preferredWait(header: string | undefined): number | null {
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,3})"?(?=$|[,;\s])/i.exec(header ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 && seconds <= waitSecondsMax ? seconds : null;
}

/** Submits the email within the request when it prefers to wait, and returns the email as it is then. */
export async function submitWithinWait(
  workspaceId: WorkspaceId,
  committed: AcceptedEmail,
  header: string | undefined,
): Promise<AcceptedEmail> {
  const seconds = preferredWait(header);
  if (seconds === null) return committed;
  // Loaded on demand: composing and submitting is half of the bundle, and few requests need it.
  const { submitNow } = await import('../services/sending/submit-now.ts');
  return { ...committed, email: await submitNow(workspaceId, committed, seconds) };
}
