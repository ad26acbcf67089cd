/** Sending rate limiters, one item for each mail region. */
import { backOff } from '../../adapters/back-off.ts';
import { newLimiter, type SendLimiter } from '../../core/sending/send-limiter.ts';
import { codec, nullable, number } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { sendLimiterKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { putIf, updateIf } from '../table/table.ts';

const limiterCodec = codec<SendLimiter>('send limiter', {
  ratePerSecond: number,
  quotaLeft: nullable(number),
  nextFree: number,
  offset: number,
  heldSlot: number,
  leadMs: number,
  refreshAt: number,
  waitingUntil: number,
  version: number,
});

/** The limiter of a region; a new one where there is none. */
export async function findSendLimiter(region: string): Promise<SendLimiter> {
  const item = await get(sendLimiterKey(region));
  return item ? limiterCodec.decode(item) : newLimiter;
}

/** Stores a changed limiter and returns it as stored; null where `before` was changed meanwhile. */
export async function replaceSendLimiter(
  region: string,
  before: SendLimiter,
  after: SendLimiter,
): Promise<SendLimiter | null> {
  const stored = { ...after, version: before.version + 1 };
  const condition = before.version === 0 ? { exists: false } : { equal: { version: before.version } };
  const isWritten = await putIf(
    { ...sendLimiterKey(region), ...limiterCodec.encode(stored) },
    expressionsOf({}, condition),
  );
  return isWritten ? stored : null;
}

/** Workers of one region that change its limiter at the same time, with room. */
const triesMax = 20;

/** Other workers changed the limiter at every try. */
export class LimiterBusy extends Error {
  constructor(region: string, tries: number) {
    super(`the limiter of ${region} changed ${tries} times meanwhile`);
    this.name = 'LimiterBusy';
  }
}

/** A change of a limiter. */
export interface LimiterChange<T> {
  readonly limiter: SendLimiter;
  readonly result: T;
  /** Where it takes slots from the next free one on, and changes nothing else: workers do that at the same time. */
  readonly taken?: {
    /** The most by which the slots may be later, because others took slots meanwhile. */
    readonly shiftMsMax: number;
    /** Whether emails that wait meanwhile come first. */
    readonly yields: boolean;
    /** The result with slots that are later by so much. */
    readonly resultAt: (shiftMs: number) => T;
  };
}

/** Fields of which slots depend, beside the next free one and the quota. */
const fixed = ['ratePerSecond', 'offset', 'heldSlot', 'leadMs', 'refreshAt'] as const;

/**
 * Takes slots by adding to the next free one, in one write whatever others take: a comparison of versions would let one
 * worker write in a round trip, and a region send some hundred emails a second.
 *
 * @returns by how much the slots are later; null where something else was changed meanwhile
 */
async function takeSlots(
  region: string,
  before: SendLimiter,
  after: SendLimiter,
  { shiftMsMax, yields }: NonNullable<LimiterChange<unknown>['taken']>,
): Promise<number | null> {
  const ms = after.nextFree - before.nextFree;
  const quota = before.quotaLeft === null ? null : before.quotaLeft - (after.quotaLeft ?? 0);
  const stored = await updateIf(sendLimiterKey(region), {
    UpdateExpression: `ADD nextFree :ms, version :one${quota === null ? '' : ', quotaLeft :spent'}`,
    ConditionExpression: [
      'nextFree BETWEEN :from AND :to',
      quota === null ? 'NOT quotaLeft >= :zero' : 'quotaLeft >= :quota',
      ...(yields ? ['waitingUntil <= :waiting'] : []),
      ...fixed.map((name) => `#${name} = :${name}`),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(fixed.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':ms': ms,
      ':one': 1,
      ':from': before.nextFree,
      ':to': before.nextFree + shiftMsMax,
      ...(quota === null ? { ':zero': 0 } : { ':spent': -quota, ':quota': quota }),
      ...(yields && { ':waiting': before.waitingUntil }),
      ...Object.fromEntries(fixed.map((name) => [`:${name}`, before[name]])),
    },
  });
  return stored && limiterCodec.decode(stored).nextFree - ms - before.nextFree;
}

/**
 * Changes the limiter of a region and returns the result of `change`. `change` may run several times; nothing is written
 * where it returns the limiter that it was given.
 *
 * @param options.known the limiter, where it was read a moment ago; a change of another one is not written
 * @throws LimiterBusy
 */
export async function changeSendLimiter<T>(
  region: string,
  change: (limiter: SendLimiter) => LimiterChange<T>,
  {
    known = null,
    tries: most = triesMax,
  }: { readonly known?: SendLimiter | null; readonly tries?: number } = {},
): Promise<T> {
  // After a failure the whole limiter is written: something else was changed.
  let mayTake = true;
  for (let tries = 1; ; tries++) {
    const before = (tries === 1 && known) || (await findSendLimiter(region));
    const { limiter, result, taken } = change(before);
    if (limiter === before) return result;
    if (taken && mayTake && fixed.every((name) => limiter[name] === before[name])) {
      const shiftMs = await takeSlots(region, before, limiter, taken);
      if (shiftMs !== null) return taken.resultAt(shiftMs);
      mayTake = false;
    } else {
      if (await replaceSendLimiter(region, before, limiter)) return result;
      mayTake = true;
    }
    if (tries === most) throw new LimiterBusy(region, tries);
    await backOff(tries);
  }
}

/** Notes, whatever other workers change, that emails wait in lanes (`waitingUntil`). */
export async function noteWaiting(region: string, untilMs: number): Promise<void> {
  await updateIf(sendLimiterKey(region), {
    UpdateExpression: 'SET waitingUntil = :until ADD version :one',
    ConditionExpression: 'waitingUntil < :until',
    ExpressionAttributeValues: { ':until': untilMs, ':one': 1 },
  });
}
