/**
 * A safe agent: its key has scope `draft`, so that a person approves what it writes. It claims threads, and leaves to a person what
 * has signals, failed a check, or comes from somebody new in a conversation. Threads with the label `trusted` are answered by a
 * second client, whose key may send. Run it with `PARLEY_BASE_URL`, `DRAFT_KEY`, and `SENDING_KEY` where there is one.
 */
import { createHash } from 'node:crypto';
import { type FullEmail, IdempotencyKeyReusedError, Parley, ThreadClaimedError } from 'parley-client';

/** The text of an answer, or null where a person has to write it; a model in your program. */
export type Write = (messages: readonly FullEmail[]) => Promise<string | null>;

export interface SafeAgent {
  /** Names this worker; each has another name. */
  readonly worker: string;
  /** With a key of scope `draft`. */
  readonly drafting: Parley;
  /** With a key of scope `sending`, for trusted threads. */
  readonly sending?: Parley | undefined;
  readonly write: Write;
}

const repliesMax = 5;
/** Signals that need no person. */
const harmless = new Set(['first_contact', 'link_text_mismatch']);

/** Clients of the keys in the environment. */
export function agentFromEnvironment(worker: string, write: Write): SafeAgent {
  const { DRAFT_KEY = '', SENDING_KEY } = process.env;
  const sending = SENDING_KEY === undefined ? undefined : new Parley({ apiKey: SENDING_KEY });
  return { worker, drafting: new Parley({ apiKey: DRAFT_KEY }), sending, write };
}

/** Works through the unread threads once; what became of each. A thread of another worker is left out. */
export async function workOnce(agent: SafeAgent): Promise<string[]> {
  const { drafting, worker: owner } = agent;
  const outcomes: string[] = [];
  for await (const { id } of drafting.threads.list({ read: false, claimed: false })) {
    try {
      await drafting.threads.claim(id, { owner, ttl_seconds: 300 });
      outcomes.push(await answer(agent, id).finally(() => drafting.threads.release(id, { owner })));
    } catch (error) {
      // Another worker has the thread, or has answered the same words.
      const isAnother = error instanceof ThreadClaimedError || error instanceof IdempotencyKeyReusedError;
      if (!isAnother) throw error;
    }
  }
  return outcomes;
}

async function answer({ drafting, sending, write, worker }: SafeAgent, id: string): Promise<string> {
  // Before it is read: a message that comes later makes it unread again.
  const { labels } = await drafting.threads.update(id, { read: true });
  const messages: FullEmail[] = [];
  for await (const message of drafting.threads.messages(id)) messages.push(message);
  const newest = messages.at(-1);
  if (newest?.direction !== 'inbound') return 'answered before';
  if (newest.category !== 'human') return `ignored: ${newest.category}`;
  const reason = reasonForPerson(messages, newest, labels);
  const text = reason ? null : await write(messages);
  if (text === null) {
    await drafting.threads.update(id, { labels: { add: ['person'] } });
    return `left to a person: ${reason ?? 'not for a program'}`;
  }
  const client = (labels.includes('trusted') && sending) || drafting;
  const { status } = await client.threads.reply(
    id,
    { text, claim_owner: worker },
    { idempotencyKey: keyOf(newest) },
  );
  return status;
}

function reasonForPerson(
  messages: readonly FullEmail[],
  { from, verdicts, signals }: FullEmail,
  labels: readonly string[],
): string | null {
  if (labels.includes('person')) return 'a person has the thread';
  if ([verdicts.spam, verdicts.virus, verdicts.dmarc].includes('FAIL')) return 'a failed check';
  const signal = signals.find(({ code }) => !harmless.has(code));
  if (signal) return signal.code;
  const others = messages.slice(0, -1);
  const isKnown = others.some((one) => [one.from.address, ...one.to, ...one.cc].includes(from.address));
  if (others.length > 0 && !isKnown) return 'somebody new in the thread';
  const replies = messages.filter(({ direction }) => direction === 'outbound').length;
  return replies >= repliesMax ? 'a long thread' : null;
}

/** The same words of the same author have one answer. */
function keyOf({ from, stripped_text: text, subject }: FullEmail): string {
  const words = (text ?? subject).normalize('NFKC').replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(`${from.address} ${words}`).digest('hex');
}
