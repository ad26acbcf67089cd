/** Where following the event log begins. */
import type { Parley } from '../../../typescript/src/index.ts';
import { eventIdPattern, idBefore } from '../../../typescript/src/live/feed.ts';
import { newestId } from '../../../typescript/src/live/log.ts';
import { UsageError } from '../terminal/exit.ts';

/** `--since`: an id or a time to begin behind; `now`. */
export const sinceOption = {
  describe: 'begin behind an event id, a time (2027-01-31T00:00:00Z), or so long ago (10m, 2h, 3d); now',
} as const;

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The id that reading begins behind, by the clock of the deployment where it has events.
 *
 * @throws UsageError
 */
export async function startId(
  since: string | undefined,
  parley: Parley,
  signal: AbortSignal,
): Promise<string> {
  if (since === undefined || since === 'now') {
    return await newestId((query) => parley.events.list(query, { signal }));
  }
  if (eventIdPattern.test(since)) return since;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(since) ?? [];
  if (count) return idBefore(Date.now() - Number(count) * (unitMs[unit] ?? 0));
  const atMs = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(atMs)) {
    throw new UsageError('--since is an event id, a time with an offset, or so long ago, such as 10m.');
  }
  return idBefore(atMs);
}
