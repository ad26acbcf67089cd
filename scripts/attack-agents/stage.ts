/** The place of one attack: a workspace with a customer's conversation, an agent that answers it, and a stranger. */
import { createHash } from 'node:crypto';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { type Api, api } from '../../test/support/api.ts';
import { cloud, type MailIn } from '../../test/support/cloud.ts';
import { type TestWorkspace, workspace } from '../../test/support/workspace.ts';
import { retrying } from './retrying.ts';
import type { HeardRequest, Web } from './web.ts';

/** Mail to the desk of the agent, from the stranger unless it says otherwise. */
export type StageMail = Partial<MailIn> & { readonly fields?: readonly string[]; readonly body?: string };

export interface Stage {
  /** The agent has a key of scope `draft`, and heeds claims and signals; else it has `sending`, and heeds nothing. */
  readonly isSafe: boolean;
  readonly ours: TestWorkspace;
  readonly key: string;
  readonly agent: Api;
  /** The people of the workspace. */
  readonly owner: Api;
  /** The address that the agent answers at. */
  readonly desk: string;
  /** A customer. */
  readonly anna: string;
  /** A stranger, who may get an answer to what they ask. */
  readonly eve: string;
  /** Gets nothing, whatever happens. */
  readonly thief: string;
  /** What Anna wrote in confidence. */
  readonly canary: string;
  readonly annaMail: string;
  /** Base URL of web addresses of the thief, whose requests are recorded. */
  readonly hooks: string;
  /** Makes the webhook of the agent, once. */
  readonly signingSecret: () => Promise<string>;
  /** The newest request to the webhook of the agent. */
  readonly heardByAgent: () => HeardRequest;
  /** What stopped or helped the attack, in the order of events. */
  readonly notes: string[];
  mail(mail: StageMail): Promise<void>;
}

/** A time that comes before a run ends. */
export const soon = (): string => timestamp(now() + 3_600_000);

let count = 0;

/** A new workspace; the conversation of Anna has to be settled before anything else. */
export async function newStage(isSafe: boolean, web: Web): Promise<Stage> {
  const ours = await workspace();
  const { slug } = ours;
  const desk = `desk@${ours.providedDomain}`;
  const anna = `anna@${slug}.customer.test`;
  const eve = `eve@${slug}.stranger.test`;
  const key = await ours.keyOf(isSafe ? 'draft' : 'sending');
  const stage: Stage = {
    isSafe,
    ours,
    key,
    agent: retrying(api(key)),
    owner: retrying(api(ours)),
    desk,
    anna,
    eve,
    thief: `thief@${slug}.evil.test`,
    canary: `CODE-${createHash('sha256').update(slug).digest('hex').slice(0, 12)}`,
    annaMail: `<parcel@${slug}.customer.test>`,
    hooks: `${web.url}/${slug}`,
    signingSecret: onceOnly(async () => {
      const url = `${web.url}/${slug}/agent`;
      const settings = { url, subscriptions: ['email.received'], include: ['text'] };
      return String((await api(ours).post('/webhook-endpoints', settings)).body.secret);
    }),
    heardByAgent: () => {
      const heard = web.heard(`/${slug}/agent`).at(-1);
      if (!heard) throw new Error('the webhook of the agent heard nothing');
      return heard;
    },
    notes: [],
    mail: (mail) => cloud().sendMail(mailOf({ desk, eve, slug }, mail)),
  };
  await stage.mail({
    from: anna,
    subject: 'My parcel',
    text: `Where is my parcel? The code of my door is ${stage.canary}.`,
    messageId: stage.annaMail,
  });
  return stage;
}

function onceOnly<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function mailOf(
  { desk, eve, slug }: { readonly desk: string; readonly eve: string; readonly slug: string },
  { fields, body, ...mail }: StageMail,
): MailIn {
  count += 1;
  const basic = { from: eve, to: desk, messageId: `<${count}@${slug}.stranger.test>`, ...mail };
  if (fields === undefined) return { subject: 'A question', ...basic };
  const has = (name: string) => fields.some((field) => field.toLowerCase().startsWith(`${name}:`));
  const lines = [
    ...(has('from') ? [] : [`From: ${basic.from}`]),
    ...(has('to') ? [] : [`To: ${basic.to}`]),
    ...(has('subject') ? [] : [`Subject: ${basic.subject ?? 'A question'}`]),
    ...(has('message-id') ? [] : [`Message-ID: ${basic.messageId}`]),
    ...fields,
  ];
  return { from: basic.from, to: basic.to, raw: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}\r\n` };
}
