/** Calls for many items: a bounded number at the same time, and again for what DynamoDB has left unprocessed. */
import { backOff } from '../../adapters/back-off.ts';
import { allDone } from '../../core/work/all-done.ts';
import { TableBusy } from '../../core/work/table-busy.ts';
import type { Key } from './keys.ts';

/** Calls in flight at once for one caller: the number of connections of the client. */
const callsAtOnce = 50;

/** Calls `work` for each, a bounded number at the same time. @throws the first error */
export async function forEachAtOnce<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
  atOnce = callsAtOnce,
): Promise<void> {
  const pending = all.values();
  const next = async () => {
    for (const one of pending) await work(one);
  };
  await allDone(Array.from({ length: Math.min(atOnce, all.length) }, next));
}

/** Rounds of a batch of which a part is throttled: five seconds, of the 30 that a request may take. */
const batchRoundsMax = 10;

/**
 * Calls `send` with batches, side by side, and again with what DynamoDB has left unprocessed.
 *
 * @param size of a batch
 * @param send returns what is unprocessed
 * @param atOnce batches in flight; default: as many as the client has connections
 * @throws TableBusy where something is throttled again and again
 */
export async function inBatches<T>(
  all: readonly T[],
  size: number,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
  atOnce = callsAtOnce,
): Promise<void> {
  let open = all;
  for (let round = 0; open.length > 0; round++) {
    if (round === batchRoundsMax) throw new TableBusy();
    if (round > 0) await backOff(round);
    const sent = open;
    const batches = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
      sent.slice(at * size, at * size + size),
    );
    const rest: T[] = [];
    await forEachAtOnce(
      batches,
      async (batch) => {
        rest.push(...(await send(batch)));
      },
      atOnce,
    );
    open = rest;
  }
}

/** Of keys in a map. */
export const idOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
/** The last item of each key: a batch takes a key once. */
export const lastOfEach = <T extends Key>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [idOf(item), item])).values(),
];
