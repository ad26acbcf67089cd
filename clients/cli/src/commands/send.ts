/** `parley send` and `parley reply`. */
import type { SentEmail } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { contentOf, contentOptions } from '../content.ts';
import { command, given, type OutputValues, result } from '../output.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Context } from '../terminal/command.ts';

const recipientOptions = {
  cc: { array: true, describe: 'a copy to' },
  bcc: { array: true, describe: 'a hidden copy to' },
  'reply-to': { array: true, describe: 'where answers go' },
} as const;

const draftOption = {
  draft: { type: 'boolean', describe: 'store it as a draft: parley drafts approve sends it' },
} as const;

export const send = command({
  name: 'send',
  summary: 'Sends an email.',
  options: {
    from: { demandOption: true, describe: 'the sender, on a verified domain: "Support <support@acme.dev>"' },
    to: { array: true, demandOption: true, describe: 'a recipient; may be repeated' },
    subject: { demandOption: true, describe: 'the subject' },
    ...recipientOptions,
    ...contentOptions,
    ...draftOption,
    thread: { describe: 'the thread that the email continues' },
  },
  examples: [
    [
      'send --from support@acme.dev --to anna@example.com --subject "Your order" --text "It is on its way."',
      'sends text',
    ],
    [
      'send --from support@acme.dev --to anna@example.com --subject Report --file report.html --attach report.pdf',
      'sends html from a file, with a file',
    ],
    [
      'send --from support@acme.dev --to anna@example.com --subject Log --schedule 2h < build.log',
      'sends stdin in two hours',
    ],
    [
      'send --from support@acme.dev --to anna@example.com --subject "Your order" --text "It is on its way." --draft',
      'stores a draft',
    ],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const email = await parley.emails.send(
      given({
        from: values.from,
        to: values.to,
        subject: values.subject,
        cc: values.cc,
        bcc: values.bcc,
        reply_to: values['reply-to'],
        thread_id: values.thread,
        draft: values.draft,
        ...(await contentOf(values)),
      }),
      given({ signal: context.signal, idempotencyKey: values['idempotency-key'] }),
    );
    sent(email, values, context);
  },
});

export const reply = command({
  name: 'reply',
  summary: 'Replies to the newest message of a thread.',
  positionals: { thread: { demandOption: true, describe: 'thr_…, from parley threads' } },
  options: {
    all: { type: 'boolean', describe: 'also to the other recipients' },
    to: { array: true, describe: 'other recipients than the author' },
    from: { describe: 'another sender than the mailbox of the thread' },
    subject: { describe: 'another subject' },
    ...recipientOptions,
    ...contentOptions,
    ...draftOption,
    'claim-owner': { describe: 'refused unless this owner has the claim on the thread: parley claim' },
    'cancel-on-reply': { type: 'boolean', describe: 'with --schedule: canceled if a person answers before' },
  },
  examples: [
    ['reply thr_0190… --text "You are welcome."', 'replies to the author'],
    ['reply thr_0190… --all --file answer.txt --attach invoice.pdf', 'replies to all, with a file'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const email = await parley.threads.reply(
      values.thread,
      given({
        to: values.to,
        from: values.from,
        subject: values.subject,
        cc: values.cc,
        bcc: values.bcc,
        reply_to: values['reply-to'],
        reply_all: values.all,
        draft: values.draft,
        claim_owner: values['claim-owner'],
        cancel_on_reply: values['cancel-on-reply'],
        ...(await contentOf(values)),
      }),
      given({ signal: context.signal, idempotencyKey: values['idempotency-key'] }),
    );
    sent(email, values, context);
  },
});

function sent(email: SentEmail, values: OutputValues, context: Context): void {
  const { dim } = context.terminal.colors;
  result(values, context, email, () => {
    const when =
      email.scheduled_at === null || email.status === 'draft'
        ? email.status
        : `scheduled for ${email.scheduled_at}`;
    const to = cleanLine(email.to.join(', '));
    const lines = [`${email.id}  ${when}  to ${to}`, dim(`thread ${email.thread_id}`)];
    if (email.suppressed.length > 0)
      lines.push(`Left out, suppressed: ${cleanLine(email.suppressed.join(', '))}`);
    return lines.join('\n');
  });
}
