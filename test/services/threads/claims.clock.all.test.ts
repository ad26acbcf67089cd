/** Fifty workers at one inbox that stall, crash and lose their claims to the clock: none answers what another has answered. */
import { expect, it } from 'vitest';
import { now, pause } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { directionOf, type EmailHead } from '../../../lib/core/emails/email.ts';
import type { ThreadId, WorkspaceId } from '../../../lib/core/ids.ts';
import { defaultPacing } from '../../../lib/core/pacing/rule.ts';
import { Problem } from '../../../lib/core/problems.ts';
import { RecordContended } from '../../../lib/core/work/table-busy.ts';
import { acceptEmail } from '../../../lib/services/sending/accept-email.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { claimThread, releaseThread, updateThread } from '../../../lib/services/threads/thread-marks.ts';
import { createEmail, listNewestMessages } from '../../../lib/storage/emails/email-heads.ts';
import { ConditionFailed, commit } from '../../../lib/storage/table/transactions.ts';
import { listThreads } from '../../../lib/storage/threads/thread-lists.ts';
import { addToThread, createThread, findThread } from '../../../lib/storage/threads/threads.ts';
import { cloud } from '../../support/cloud.ts';
import { requesterOf } from '../../support/requester.ts';
import { buyer, fromBuyer, storedHead } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

const workers = 50;
const messages = 40;
/** The shortest claim: each jump of the clock ends all. */
const ttlSeconds = 10;

/** A worker that dies: nothing of it runs any more. */
class Crash extends Error {}

/** A generator of pseudo-random numbers below 1 (Numerical Recipes, quick and dirty). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it('fifty workers with crashes and clock jumps answer each message once', async () => {
  const seed = Date.now() % 100_000;
  const random = generator(seed);
  const { id: workspaceId, providedDomain } = await workspace();
  const from = { name: null, address: `desk@${providedDomain}` };
  const sender = await resolveSender(workspaceId, from);
  const counts = { crashed: 0, refused: 0, contended: 0, replied: 0, jumps: 0 };
  /** Workers at a thread, and how often one has left a thread. */
  let [working, left] = [0, 0];
  const mayCrash = () => {
    if (random() > 0.06) return;
    counts.crashed += 1;
    throw new Crash();
  };
  const stall = async () => {
    const turns = random() < 0.3 ? 40 : 2;
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  };
  /** As docs/concepts/threads.md#one-worker-answers has it. */
  async function answer(threadId: ThreadId, owner: string): Promise<void> {
    await claimThread(workspaceId, threadId, { owner, ttlSeconds });
    mayCrash();
    for (;;) {
      // First: a message that comes between the two makes it too low, and is read in another turn.
      const known = (await findThread(workspaceId, threadId))?.messageCount;
      const [newest] = await listNewestMessages(workspaceId, threadId);
      await stall();
      mayCrash();
      const isAnswered = !newest || directionOf(newest.status) === 'outbound';
      if (!isAnswered) {
        const thread = await findThread(workspaceId, threadId);
        const outgoing = {
          ...{ sender, from, to: [buyer], cc: [], bcc: [], replyTo: [], subject: `To ${newest.id}` },
          ...{
            html: null,
            text: 'Yes.',
            headers: [],
            attachments: [],
            suppressionKey: null,
            unsubscribe: false,
          },
          ...{
            pacing: defaultPacing,
            baseUrl: 'https://api.example.test',
            scheduledAt: null,
            forwardOf: null,
          },
          ...{ carried: [], claimOwner: owner },
        };
        await acceptEmail(requesterOf(workspaceId), outgoing, { thread, answered: null }, null);
        counts.replied += 1;
        mayCrash();
      }
      const after = await updateThread(workspaceId, threadId, { read: true });
      if (after.messageCount === (known ?? 0) + (isAnswered ? 0 : 1)) break;
      // Whoever takes the thread, should this worker end here, must find it unread.
      await updateThread(workspaceId, threadId, { read: false });
    }
    mayCrash();
    await releaseThread(workspaceId, threadId, owner);
  }
  const unread = () => listThreads(workspaceId, { read: false }, { limit: 100, after: null, now: now() });
  let arriving = messages;
  const isDone = async () => arriving === 0 && (await unread()).items.length === 0;
  async function work(name: string): Promise<void> {
    for (let run = 0; !(await isDone()); run++) {
      const { items } = await listThreads(
        workspaceId,
        { read: false, claimed: false },
        { limit: 20, after: null, now: now() },
      );
      const thread = items[Math.floor(random() * items.length)];
      if (!thread) {
        await pause(200);
        continue;
      }
      await stall();
      working += 1;
      // A worker that has crashed comes back under another name.
      await answer(thread.id, `${name}.${run}`)
        .catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'thread_claimed') counts.refused += 1;
          // Fifty writers of one thread on a busy machine: a client would repeat its request.
          else if (error instanceof RecordContended) counts.contended += 1;
          else if (!(error instanceof Crash)) throw error;
        })
        .finally(() => {
          working -= 1;
          left += 1;
        });
    }
  }
  const threads: ThreadId[] = [];
  async function write(): Promise<void> {
    for (; arriving > 0; arriving -= 1) {
      const old = random() < 0.6 ? threads[Math.floor(random() * threads.length)] : undefined;
      threads.push(...(await receive(workspaceId, old)));
      await stall();
    }
  }
  /** In the middle of work, and where claims of crashed workers hold it up: as often on a slow machine as on a fast one. */
  async function jump(): Promise<void> {
    while (!(await isDone())) {
      await cloud().advance(ttlSeconds + 1);
      counts.jumps += 1;
      const leftBefore = left;
      do await pause(100);
      while (working > 0 && left < leftBefore + workers);
    }
  }
  await Promise.all([write(), jump(), ...Array.from({ length: workers }, (_, at) => work(`worker-${at}`))]);
  const what = `seed ${seed}, ${JSON.stringify(counts)}`;
  const conversations = await Promise.all(threads.map((id) => listNewestMessages(workspaceId, id)));
  const answered = conversations
    .flat()
    .filter(isOutbound)
    .map(({ subject }) => subject);
  expect(new Set(answered).size, what).toBe(answered.length);
  expect(conversations.filter(([newest]) => newest && !isOutbound(newest)).length, what).toBe(0);
  expect(counts.crashed, what).toBeGreaterThan(0);
  expect(counts.refused, what).toBeGreaterThan(0);
  expect(answered.length, what).toBe(counts.replied);
});

const isOutbound = ({ status }: EmailHead): boolean => directionOf(status) === 'outbound';

/** Stores a person's message in a thread, or in a new one, whose id it returns. */
async function receive(workspaceId: WorkspaceId, threadId: ThreadId | undefined): Promise<ThreadId[]> {
  for (;;) {
    const head = storedHead({ id: newId('eml'), ...(threadId && { threadId }), category: 'human' });
    const message = {
      ...{ ...fromBuyer, emailId: head.id, at: head.createdAt, snippet: '', marksUnread: true },
      ...{ participants: [buyer], mailboxes: ['desk@own.test'] },
    };
    const thread = threadId ? await findThread(workspaceId, threadId) : null;
    const about = {
      id: head.threadId,
      spaceId: null,
      subject: '',
      mailbox: 'desk@own.test',
      forwardOf: null,
    };
    const writes = thread
      ? addToThread(workspaceId, thread, message)
      : createThread(workspaceId, about, message);
    try {
      await commit(workspaceId, [...createEmail(workspaceId, head), ...writes]);
      return thread ? [] : [head.threadId];
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !(error instanceof RecordContended)) throw error;
    }
  }
}
