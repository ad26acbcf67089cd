/**
 * Jobs, each with one worker at a time (docs/decisions/0068-one-worker-at-a-key.md). Lease and timer are attributes of the item
 * with the job's state. A timer is an entry of an index by time, in shards, that carries its message; it is there exactly while
 * the state names its time. An entry's sort key names the item of its job, for the sweep.
 */
import { now } from '../../adapters/clock.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage, QueueMessage } from '../../core/queue-messages.ts';
import type { JobState, JobStore } from '../../core/work/job.ts';
import { codec, nullable, number, sparseFlag } from './codec.ts';
import { type Change, expressionsOf, setOrRemove } from './expressions.ts';
import { type Key, timerBound, timerKey, timerShards } from './keys.ts';
import { acquireLease, holdsLease, leaseFields, leaseOf, updateUnderLease } from './leases.ts';
import { messagesIn } from './outbox.ts';
import { get } from './reads.ts';
import { type Item, remove } from './table.ts';
import { listBefore, shardOf } from './time-index.ts';
import { ConditionFailed, commit, createdOnce, type Write } from './transactions.ts';

/** How the state of a job is stored. */
interface StoredJob<S extends JobState> {
  readonly workspaceId: WorkspaceId;
  readonly key: Key;
  readonly leaseMs: number;
  /** null, of a missing item: there is no such job. */
  decode(item: Item | null): S | null;
}

const stateCodec = codec<{
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
  readonly again: boolean;
  readonly wakeAt: number | null;
}>('job', { ...leaseFields, again: sparseFlag, wakeAt: nullable(number) });

/** What a worker has only while it has the job. */
const heldNames = [...Object.keys(leaseFields), 'again'];

/** What every job has in its item. */
export function decodeJob(item: Item): JobState {
  const { again, wakeAt, ...lease } = stateCodec.decode(item);
  return { lease: leaseOf(lease), again, wakeAt };
}

/** Replaces the job's own state, and takes the job from the worker that has it. @param attributes `undefined` removes one */
export function untaken(attributes: Readonly<Record<string, unknown>>): Change {
  const names = Object.keys(attributes).filter((name) => attributes[name] === undefined);
  return { set: attributes, remove: [...names, ...heldNames] };
}

/** The write of a change of the job's own state, named `job`: its condition fails where the lease is lost. */
export function underLease(key: Key, token: string, change: Change): Write {
  const expressions = expressionsOf(change, holdsLease(token));
  return { as: 'job', ...(expressions.UpdateExpression ? { update: key } : { check: key }), ...expressions };
}

/** @param messageOf the message of a timer, which calls a worker */
export function jobStore<S extends JobState, C extends Readonly<Record<string, unknown>>>(
  { workspaceId, key, leaseMs, decode }: StoredJob<S>,
  messageOf: (timer: number) => QueueMessage,
): JobStore<S, C> {
  return {
    find: async () => decode(await get(key)),
    async take(token) {
      const at = now();
      const options = { mustExist: decode(null) === null, remove: ['again'] };
      const item = await acquireLease(key, { token, until: at + leaseMs }, at, options);
      return item && decode(item);
    },
    askAgain: (token) => updateUnderLease(key, token, { set: { again: true } }),
    clearAgain: (token) => updateUnderLease(key, token, { remove: ['again'] }),
    async leave(token, { set: own, timer: { before, after }, unlessAsked }) {
      const { set, remove: gone } = setOrRemove({ ...own, wakeAt: after });
      const change = { set, remove: [...gone, ...heldNames] };
      const required = { equal: { leaseToken: token }, absent: unlessAsked ? ['again'] : [] };
      const state: Write = { as: 'job', update: key, ...expressionsOf(change, required) };
      const timers: Write[] = [];
      const messages: OutboxMessage[] = [];
      if (before !== null && before !== after) timers.push({ as: 'timer', delete: entryKey(key, before) });
      if (after !== null && before !== after) {
        timers.push({ as: 'timer', put: { ...entryKey(key, after) }, ...createdOnce });
        messages.push({ message: messageOf(after), dueAt: after });
      }
      try {
        await commit(workspaceId, [state, ...timers], messages);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed && error.write === state.as) return false;
        throw error;
      }
    },
    async fail(token) {
      await updateUnderLease(key, token, { set: { leaseUntil: 0 } });
    },
  };
}

/** The entry of a timer. */
function entryKey({ pk, sk }: Key, at: number): Key {
  return timerKey(shardOf(pk, timerShards), at, `${pk}#${sk}`);
}

/** A timer that should have fired. */
export interface OverdueTimer {
  readonly workspaceId: WorkspaceId;
  /** What it has sent, or was to send. */
  readonly message: QueueMessage;
  readonly at: number;
  readonly job: Key;
}

/** Timers before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverdueTimers(atMs: number, limit: number): Promise<OverdueTimer[]> {
  const found = await listBefore(timerShards, timerBound, atMs, limit);
  return found.flatMap((item) => {
    const [, at = '', pk = '', sk = ''] = /^(\d+)#(.*)#([^#]*)$/.exec(item.sk) ?? [];
    const workspaceId = parseId('wks', pk.split('#')[1] ?? '');
    const message = messagesIn(item).messages[0]?.message;
    return workspaceId && message ? [{ workspaceId, message, at: Number(at), job: { pk, sk } }] : [];
  });
}

/** Whether the job of a timer still waits for it. */
export async function isAwaited({ job, at }: OverdueTimer): Promise<boolean> {
  const item = await get(job);
  return item !== null && decodeJob(item).wakeAt === at;
}

/** Removes the timer of a job that is gone; a missing one is no error. @param at null: it has none */
export async function removeTimer({
  job,
  at,
}: {
  readonly job: Key;
  readonly at: number | null;
}): Promise<void> {
  if (at !== null) await remove(entryKey(job, at));
}
