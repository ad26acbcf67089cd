/** Sending rate limiters, one item for each mail region. */
import { backOff } from '../adapters/back-off.ts';
import { newLimiter, type SendLimiter } from '../core/send-limiter.ts';
import { codec, nullable, number, withDefault } from './codec.ts';
import { expressionsOf } from './expressions.ts';
import { sendLimiterKey } from './keys.ts';
import { get } from './reads.ts';
import { putIf, updateIf } from './table.ts';

const limiterCodec = codec<SendLimiter>('send limiter', {
  ratePerSecond: number,
  quotaLeft: nullable(number),
  nextFree: number,
  offset: number,
  heldSlot: withDefault(number, 0),
  leadMs: withDefault(number, 0),
  refreshAt: number,
  waitingUntil: withDefault(number, 0),
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

/**
 * Changes the limiter of a region and returns the result of `change`. `change` may run several times; nothing is written
 * where it returns the limiter that it was given.
 *
 * @param options.known the limiter, where it was read a moment ago; a change of another one is not written
 * @throws LimiterBusy
 */
export async function changeSendLimiter<T>(
  region: string,
  change: (limiter: SendLimiter) => { readonly limiter: SendLimiter; readonly result: T },
  {
    known = null,
    tries: most = triesMax,
  }: { readonly known?: SendLimiter | null; readonly tries?: number } = {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = (tries === 1 && known) || (await findSendLimiter(region));
    const { limiter, result } = change(before);
    if (limiter === before || (await replaceSendLimiter(region, before, limiter))) return result;
    if (tries === most) throw new LimiterBusy(region, tries);
    await backOff(tries);
  }
}

/** Notes, whatever other workers change, that emails wait in lanes (`waitingUntil`). */
export async function noteWaiting(region: string, untilMs: number): Promise<void> {
  await updateIf(sendLimiterKey(region), {
    UpdateExpression: 'SET waitingUntil = :until ADD version :one',
    ConditionExpression:
      'waitingUntil < :until OR attribute_not_exists(waitingUntil) AND attribute_exists(pk)',
    ExpressionAttributeValues: { ':until': untilMs, ':one': 1 },
  });
}
