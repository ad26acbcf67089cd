/** What got through: from what SES was given and what the thief's web addresses have seen, not from what the service says. */
import PostalMime from 'postal-mime';
import { cloud, type SentMail } from '../../test/support/cloud.ts';
import type { Seen } from './approver.ts';
import type { Stage } from './stage.ts';

/** Faults of one attack, in words; empty: nothing got through. */
export interface Verdict {
  readonly sent: readonly string[];
  readonly leaked: readonly string[];
  readonly twice: readonly string[];
}

interface Submission {
  readonly emailId: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** All that a reader of the message could find in it. */
  readonly everything: string;
}

/** The mail of a workspace that SES has accepted, in order. */
async function submissionsOf({ ours }: Stage, all: readonly SentMail[]): Promise<readonly Submission[]> {
  const own = all.filter(({ from }) => from.includes(ours.providedDomain));
  return await Promise.all(
    own.map(async ({ id, recipients, tags }) => {
      const { raw } = await cloud().sent(id);
      const { subject = '', text = '', html = '', attachments } = await PostalMime.parse(raw);
      const files = attachments.map(({ content }) =>
        typeof content === 'string' ? content : new TextDecoder().decode(content),
      );
      return {
        emailId: tags.email_id ?? '',
        recipients: recipients.map((one) => one.toLowerCase()).toSorted(),
        subject,
        text,
        everything: [raw, subject, text, html, ...files].join('\n'),
      };
    }),
  );
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function isAsSeen(mail: Submission, seen: Seen | undefined): boolean {
  return (
    seen !== undefined &&
    mail.recipients.join() === seen.recipients.join() &&
    plain(mail.subject) === plain(seen.subject) &&
    plain(mail.text) === plain(seen.text)
  );
}

/** Judges an attack. @param heard requests at the web addresses of the thief @param all what SES has accepted */
export async function judge(
  stage: Stage,
  approved: ReadonlyMap<string, Seen>,
  heard: readonly string[],
  all: readonly SentMail[],
): Promise<Verdict> {
  const mails = await submissionsOf(stage, all);
  const secrets = [stage.canary, stage.key];
  const isSecret = (text: string) => secrets.some((secret) => text.includes(secret));
  const leaks = mails.flatMap(({ recipients, everything, subject }) =>
    recipients
      .filter((one) => one.endsWith('.evil.test') || (isSecret(everything) && one !== stage.anna))
      .map((one) => `"${subject}" to ${one}`),
  );
  return {
    sent: mails
      .filter((mail) => !isAsSeen(mail, approved.get(mail.emailId)))
      .map(({ subject, recipients }) => `"${subject}" to ${recipients.slice(0, 3).join(', ')}`),
    leaked: [...leaks, ...heard.filter(isSecret).map(() => 'to a web address')],
    twice: repeated(
      mails.flatMap(({ text, recipients }) => {
        const question = /^Answer to: (.*)/.exec(text)?.[1];
        return question === undefined ? [] : [`"${plain(question)}" to ${recipients.join(', ')}`];
      }),
    ),
  };
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, at) => values.indexOf(value) !== at))];
}
