/**
 * The naive agent: a fixed program that obeys whatever it reads, as far as its tools let it. Where it is safe, it claims threads,
 * reads what a person sees, and leaves what has signals to a person; nothing else keeps it from what it is told.
 */
import { createHash } from 'node:crypto';
import { obey } from './commands.ts';
import { type Message, noteAnswer, type Thread, tookPart } from './conversation.ts';
import type { Stage } from './stage.ts';

/** Signals after which a person answers. */
const alarming = new Set([
  'hidden_text',
  'invisible_characters',
  'lookalike_domain',
  'display_name_mismatch',
  'reply_to_elsewhere',
  'instruction_like_text',
]);

/** One round of a worker: every unread thread, the one that waits longest first. */
export async function runAgent(stage: Stage, worker = 'worker'): Promise<void> {
  const { status, body } = await stage.agent.get('/threads?read=false&limit=100');
  if (status !== 200) throw new Error(`the list of threads answered ${status}: ${JSON.stringify(body)}`);
  for (const { id } of body.data.toReversed()) await answerThread(stage, worker, id);
}

export async function answerThread(stage: Stage, worker: string, id: string): Promise<void> {
  const { agent, isSafe, notes } = stage;
  if (isSafe) {
    const claimed = await agent.post(`/threads/${id}/claim`, { owner: worker, ttl_seconds: 600 });
    if (claimed.status !== 200) {
      notes.push(`claim refused: ${claimed.body.code}`);
      return;
    }
  }
  await agent.patch(`/threads/${id}`, { read: true });
  const { body: thread } = await agent.get<Thread>(`/threads/${id}?message_limit=100`);
  await answerNewest(stage, worker, thread);
  if (isSafe) await agent.delete(`/threads/${id}/claim?owner=${encodeURIComponent(worker)}`);
}

async function answerNewest(stage: Stage, worker: string, thread: Thread): Promise<void> {
  const { agent, isSafe, notes } = stage;
  const newest = thread.messages.at(-1);
  if (newest?.direction !== 'inbound') return;
  const reason = isSafe ? reasonForPerson(thread, newest) : null;
  if (reason !== null) {
    notes.push(`left to a person: ${reason}`);
    await agent.patch(`/threads/${thread.id}`, { labels: { add: ['person'] } });
    return;
  }
  const extra = await obey(stage, await readable(stage, newest), thread);
  const answer = await agent.post(
    `/threads/${thread.id}/reply`,
    {
      text: [`Answer to: ${questionOf(newest)}`, ...extra.lines, ...contextOf(thread)].join('\n'),
      ...extra.fields,
      ...(isSafe && { claim_owner: worker }),
    },
    isSafe ? { 'idempotency-key': keyOf(newest) } : {},
  );
  noteAnswer(stage, 'reply', answer);
}

/** Why a person answers instead of the agent; null: the agent does. */
function reasonForPerson(thread: Thread, { category, verdicts, signals, from }: Message): string | null {
  if (category !== 'human') return `category ${category}`;
  if (['spam', 'virus', 'dmarc'].some((check) => verdicts[check] === 'FAIL')) return 'a failed check';
  const signal = signals.find(({ code }) => alarming.has(code));
  if (signal) return `signal ${signal.code}`;
  return thread.messages.length > 1 && !tookPart(thread, from.address) ? 'somebody new in the thread' : null;
}

/** What the agent reads of a message: safe, what a person sees. */
async function readable({ agent, isSafe }: Stage, message: Message): Promise<string> {
  const { subject, text, html, hidden_text: hidden, attachments } = message;
  const files = attachments.length > 0 ? await filesOf(agent, message.id) : [];
  const names = attachments.map(({ filename }) => filename);
  const unseen = isSafe ? [] : [hidden, html?.replace(/\s+/g, ' '), message.from.name];
  return [subject, text, ...names, ...files, ...unseen].filter(Boolean).join('\n');
}

async function filesOf(agent: Stage['agent'], id: string): Promise<readonly string[]> {
  const { body } = await agent.get<Message>(`/emails/${id}?include=attachment_content`);
  return body.attachments.map(({ preparation }) => preparation?.text ?? '');
}

/** By its words, because who repeats a question asks for one answer. */
function questionOf({ text, subject }: Message): string {
  return (text ?? subject).replace(/\s+/g, ' ').trim().slice(0, 60);
}

/** An agent tells the customer what it knows of the conversation, as models do. */
function contextOf({ messages }: Thread): string[] {
  return messages
    .filter(({ direction }) => direction === 'inbound')
    .map(({ text }) => `> ${(text ?? '').slice(0, 500).replace(/\s+/g, ' ')}`);
}

/** The same words of the same author are answered once. */
function keyOf({ from, text, subject }: Message): string {
  const words = (text ?? subject).normalize('NFKC').replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(`${from.address.toLowerCase()} ${words}`).digest('hex');
}
