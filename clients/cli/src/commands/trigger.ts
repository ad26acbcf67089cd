/** `parley trigger`: makes a real event, or posts an example of one. */
import { randomBytes } from 'node:crypto';
import { type EventType, eventTypes } from '../../../../lib/core/webhooks/event-types.ts';
import type { Event, Parley, SentEmail } from '../../../typescript/src/index.ts';
import { idBefore } from '../../../typescript/src/live/feed.ts';
import { clientOf, folderOfProcess } from '../client.ts';
import { listenSecret } from '../configuration.ts';
import { isDelivered, postEvent } from '../events/post.ts';
import { startId } from '../events/start.ts';
import { eventExamples } from '../generated/event-examples.ts';
import { command, result } from '../output.ts';
import { toJson } from '../terminal/clean.ts';
import type { Context } from '../terminal/command.ts';
import { Refused, UsageError } from '../terminal/exit.ts';
import { targetUrl, troubleTeller } from './listen.ts';
import { lineOf } from './tail.ts';

/**
 * Recipients whose mail makes an event: the mailbox simulator of SES ("Using the mailbox simulator manually", Amazon SES Developer
 * Guide), which the local run has, too. No reputation suffers, and no address is suppressed.
 */
const recipients: Partial<Record<EventType, string>> = {
  'email.sent': 'success@simulator.amazonses.com',
  'email.delivered': 'success@simulator.amazonses.com',
  'email.bounced': 'bounce@simulator.amazonses.com',
  'email.complained': 'complaint@simulator.amazonses.com',
  'thread.created': 'success@simulator.amazonses.com',
};

/** The mailbox of the sender's own domain gets a mail, which is received. */
const received: EventType = 'email.received';

/** Why the others are not made, and how they come about. */
const otherWays: Partial<Record<EventType, string>> = {
  'email.failed': 'it needs a mail that SES refuses',
  'email.opened': 'open a mail of a domain with tracking of opens',
  'email.clicked': 'follow a link in a mail of a domain with tracking of clicks',
  'email.unsubscribed': 'follow the unsubscribe link of a mail',
  'email.drafted': 'parley send --draft',
  'email.approved': 'parley drafts approve',
  'email.canceled': 'parley drafts discard',
  'domain.verified': 'parley domains add, publish the records, parley domains check --watch',
  'domain.lost': 'remove the DKIM record of a domain',
  'mailbox.connected': 'connect a mailbox',
  'mailbox.needs_reauth': 'withdraw the access of a connected mailbox at its provider',
  'mailbox.disconnected': 'delete a connected mailbox',
};

const makes = Object.keys(recipients).join(', ');

export const trigger = command({
  name: 'trigger',
  summary: 'Makes a real event, or posts an example of one with --forward-to.',
  details: [
    `Makes ${makes}: by a mail to the mailbox simulator of SES, which bills it as any other.`,
    `Makes ${received}: by a mail to the domain of the sender, whose MX record must be published.`,
    'Of every type, --forward-to posts an example event, which is not in the event log, signed as listen signs.',
    'The others come about so:',
    ...Object.entries(otherWays).map(([type, way]) => `  ${type}: ${way}`),
  ].join('\n'),
  positionals: { type: { demandOption: true, describe: 'the event type', choices: eventTypes } },
  options: {
    from: { describe: 'the sender; else an address of the first verified domain' },
    'forward-to': { describe: 'posts an example event there instead' },
    wait: { type: 'number', default: 60, describe: 'seconds to wait for the event; 0 does not' },
    brand: { default: 'Parley', describe: 'the brand of the deployment, in the names of headers' },
  },
  examples: [
    ['trigger email.bounced', 'sends a mail that bounces, and waits for the event'],
    ['trigger email.received --forward-to http://localhost:3000/hook', 'posts an example'],
  ],
  run: async (values, context) => {
    const { type } = values;
    if (values['forward-to'] !== undefined) {
      const target = { url: targetUrl(values['forward-to']), brand: values.brand };
      return await postExample(type, target, values.json === true, context);
    }
    if (recipients[type] === undefined && type !== received) {
      throw new UsageError(
        `${type} is not made by a command: ${otherWays[type]}. An example of it: --forward-to http://localhost:3000/hook.`,
      );
    }
    const parley = clientOf(values, context);
    const start = await startId('now', parley, context.signal);
    const from = values.from ?? (await senderOf(parley, context.signal));
    const to = recipients[type] ?? `inbox@${domainOf(from)}`;
    const subject = `parley trigger ${type} ${randomBytes(4).toString('hex')}`;
    const text = 'This mail makes an event, and reaches no person.';
    const email = await parley.emails.send({ from, to, subject, text }, { signal: context.signal });
    if (values.wait <= 0) {
      result(values, context, email, () => `${email.id}  sent; ${type} follows`);
      return 0;
    }
    const found = await waitFor({ type, email, start }, values.wait, { parley, context });
    result(values, context, found, () => lineOf(found, context.terminal));
    return 0;
  },
});

/** @throws Refused */
async function senderOf(parley: Parley, signal: AbortSignal): Promise<string> {
  for await (const domain of parley.domains.list({ limit: 100 }, { signal })) {
    const isReady = domain.verified_at !== null || domain.provided;
    if (isReady && !domain.name.startsWith('*')) return `trigger@${domain.name}`;
  }
  throw new Refused(
    'There is no verified domain to send from.',
    'Name a sender with --from, or: parley domains add.',
  );
}

interface Wanted {
  readonly type: EventType;
  readonly email: SentEmail;
  readonly start: string;
}

interface Ports {
  readonly parley: Parley;
  readonly context: Context;
}

/** @throws Refused where it does not come in time */
async function waitFor(wanted: Wanted, seconds: number, { parley, context }: Ports): Promise<Event> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(seconds * 1000)]);
  const onState = troubleTeller(context);
  const events = parley.events.live({ types: [wanted.type], after: wanted.start, signal, onState });
  for await (const event of events) if (isAbout(event.data, wanted)) return event;
  const { id } = wanted.email;
  throw new Refused(
    `${wanted.type} of ${id} did not come within ${seconds} s.`,
    'It may come later: parley tail.',
  );
}

function isAbout(data: object, { email, type }: Wanted): boolean {
  // The received one is another email.
  if (type === received) return 'subject' in data && data.subject === email.subject;
  if ('email_id' in data) return data.email_id === email.id;
  return 'thread_id' in data && data.thread_id === email.thread_id;
}

/** The domain of `Name <a@example.com>`. */
const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).replace(/>.*$/, '');

async function postExample(
  type: EventType,
  { url, brand }: { readonly url: string; readonly brand: string },
  isJson: boolean,
  { terminal }: Context,
): Promise<0 | 1> {
  const secret = listenSecret(folderOfProcess());
  const example = eventExamples[type] as unknown as Event;
  const [nowMs, random] = [Date.now(), randomBytes(10).toString('hex')];
  const id = `${idBefore(nowMs).slice(0, 'evt_'.length + 12)}${random}`;
  const event = { ...example, id, created_at: new Date(nowMs).toISOString() } as Event;
  const attempt = await postEvent(event, { url, secret, brand });
  const isDone = isDelivered(attempt);
  if (isJson) {
    const { status, error, durationMs } = attempt;
    terminal.print(toJson({ event, status, error, duration_ms: durationMs, delivered: isDone }));
  } else {
    terminal.print(`${attempt.status ?? attempt.error}  ${attempt.durationMs} ms  ${type} to ${url}`);
    terminal.print(terminal.colors.dim(`Signing secret: ${secret}`));
  }
  return isDone ? 0 : 1;
}
