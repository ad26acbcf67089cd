/** What became of the mail that SES accepted, as its events tell. */
import type { EventBody, EventType } from '../ses/events.ts';

export interface MailEvent {
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
  /** Empty: the event is of all recipients. */
  readonly recipients: readonly string[];
  /** Diagnostic of a failure; null: none. */
  readonly detail: string | null;
}

export interface MailEvents {
  note(id: string, event: EventBody): void;
  /** Those of a mail that concern a recipient, oldest first. */
  of(id: string, recipient: string): readonly MailEvent[];
}

/** As many as the inbox has messages. */
const mailsMax = 20_000;
const eventsMax = 200;

/** @param now local clock, Unix milliseconds */
export function createMailEvents(now: () => number): MailEvents {
  const byMail = new Map<string, MailEvent[]>();
  return {
    note(id, event) {
      const events = byMail.get(id) ?? [];
      byMail.set(id, events);
      if (events.length < eventsMax) events.push(mailEvent(event, now()));
      const [oldest] = byMail.keys();
      if (byMail.size > mailsMax && oldest) byMail.delete(oldest);
    },
    of: (id, recipient) =>
      (byMail.get(id) ?? []).filter(
        ({ recipients }) => recipients.length === 0 || recipients.includes(recipient.toLowerCase()),
      ),
  };
}

const recipientFields = ['recipients', 'bouncedRecipients', 'complainedRecipients', 'delayedRecipients'];

function mailEvent({ type, content }: EventBody, at: number): MailEvent {
  const listed = recipientFields.flatMap((field) => (content[field] ?? []) as readonly Listed[]);
  const diagnostic = listed
    .map((one) => (typeof one === 'string' ? undefined : one.diagnosticCode))
    .find(Boolean);
  const kind = [content.bounceType, content.bounceSubType, content.complaintFeedbackType, content.reason];
  const detail = [kind.filter(Boolean).join(' '), diagnostic].filter(Boolean).join(': ');
  return {
    type,
    at,
    recipients: listed.map((one) => (typeof one === 'string' ? one : one.emailAddress).toLowerCase()),
    detail: detail === '' ? null : detail,
  };
}

type Listed = string | { readonly emailAddress: string; readonly diagnosticCode?: string };
