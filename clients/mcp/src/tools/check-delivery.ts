/** What became of an email that was sent. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { listed, nameOf } from '../mail-facts.ts';
import { Untrusted } from '../result.ts';
import { oneLine } from '../shown-text.ts';
import { reads, tool } from '../tool.ts';
import { emailId } from './arguments.ts';

const historyMax = 50;

/** What a status means, and what follows from it. */
const meanings: Readonly<Record<string, string>> = {
  scheduled: 'It will be sent at scheduled_at; cancel_email stops it.',
  canceled: 'It was canceled and is never sent.',
  queued: 'It waits to be sent, for a moment or as long as a pacing rule holds it.',
  sending: 'It is being sent.',
  sent: 'The mail provider took it; no server of a recipient has answered yet.',
  delivered: 'The server of a recipient took it. That somebody read it is not known.',
  bounced:
    'A server refused it for good or for now: history has the reason. Do not send to a permanent bounce again.',
  complained: 'A recipient reported it as spam. Do not write to them again.',
  failed: 'It was refused before delivery: history has the reason.',
  received: 'It was received, not sent: there is no delivery.',
};

export const checkDelivery = tool({
  name: 'check_delivery',
  title: 'Check delivery',
  description:
    'Tells what became of a sent email: status, what each server answered, why it bounced, opens and clicks.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({ email_id: emailId }),
  async run({ email_id: id }, { parley, signal }) {
    const email = await parley.emails.retrieve(id, {}, { signal });
    const human = email.engagements.filter(({ bot }) => !bot);
    return {
      email_id: email.id,
      thread_id: email.thread_id,
      status: email.status,
      meaning: meanings[email.status],
      created_at: email.created_at,
      scheduled_at: email.scheduled_at ?? undefined,
      sent_at: email.sent_at ?? undefined,
      opens: human.filter(({ type }) => type === 'open').length,
      clicks: human.filter(({ type }) => type === 'click').length,
      history: email.events.slice(-historyMax).map(({ type, at, recipients, detail }) => ({
        type,
        at,
        untrusted: new Untrusted({
          recipients: listed(recipients),
          detail: detail === null ? undefined : oneLine(detail, 500),
        }),
      })),
      ...(email.events.length > historyMax && {
        earlier_history: `${email.events.length - historyMax} more entries`,
      }),
      untrusted: new Untrusted({
        from: nameOf(email.from),
        to: listed(email.to),
        subject: oneLine(email.subject, limits.subjectCharacters),
      }),
    };
  },
});
