/** The `Prefer` header (RFC 7240), of which sends know `wait=<seconds>` (contract, section 2). */
import type { WorkspaceId } from '../domain/ids.ts';
import type { Committed } from '../services/outbound.ts';

const waitSecondsMax = 20;

/** The seconds of `wait=<1..20>`, or null. A preference that is malformed or out of range is ignored, as the RFC has it. */
export function preferredWait(header: string | undefined): number | null {
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,3})"?(?=$|[,;\s])/i.exec(header ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 && seconds <= waitSecondsMax ? seconds : null;
}

/** The email after its hand-off where the request prefers to wait for that, else as it was committed. */
export async function honourWait(
  workspaceId: WorkspaceId,
  committed: Committed,
  header: string | undefined,
): Promise<Committed> {
  const seconds = preferredWait(header);
  if (seconds === null) return committed;
  // Loaded when asked for: composing and handing off is half of the bundle, and few requests want it.
  const { handOffNow } = await import('../services/prefer-wait.ts');
  return { ...committed, email: await handOffNow(workspaceId, committed, seconds) };
}
