/** `parley drafts`: emails that wait for their approval. */
import type { Email } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { cleanLine, cleanText } from '../terminal/clean.ts';
import { group } from '../terminal/command.ts';
import { table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

const email = { demandOption: true, describe: 'eml_…, from parley drafts list' } as const;

const list = command({
  name: 'list',
  summary: 'Lists drafts, newest first.',
  options: {
    thread: { describe: 'only of this thread' },
    space: { describe: 'only of this space; none: of the workspace itself' },
    ...listOptions,
  },
  examples: [['drafts list', 'lists the newest twenty']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const { thread, space } = values;
    const read = (query: object) => parley.emails.list(query, { signal: context.signal });
    const page = await listUpTo(read, { status: 'draft', ...given({ thread_id: thread, space }) }, values);
    result(values, context, page, () =>
      page.data.length === 0
        ? 'There are no drafts.'
        : draftsText(page.data, context.terminal) + moreOf(page.next_cursor),
    );
  },
});

const show = command({
  name: 'show',
  summary: 'Shows a draft with its text and its version.',
  positionals: { email },
  examples: [['drafts show eml_0190…', 'shows what an approval would send']],
  run: async (values, context) => {
    const draft = await clientOf(values, context).emails.retrieve(
      values.email,
      {},
      { signal: context.signal },
    );
    result(values, context, draft, () =>
      [
        `${draft.id}  ${draft.status}  version ${draft.draft?.version ?? '-'}`,
        `From: ${cleanLine(draft.from.address)}`,
        `To: ${cleanLine(draft.to.join(', '))}`,
        ...(draft.cc.length > 0 ? [`Cc: ${cleanLine(draft.cc.join(', '))}`] : []),
        ...(draft.bcc.length > 0 ? [`Bcc: ${cleanLine(draft.bcc.join(', '))}`] : []),
        `Subject: ${cleanLine(draft.subject)}`,
        ...draft.attachments.map(({ filename, size }) => `File: ${cleanLine(filename)} (${size} bytes)`),
        '',
        cleanText(draft.text ?? ''),
      ].join('\n'),
    );
  },
});

const approve = command({
  name: 'approve',
  summary: 'Sends a draft.',
  positionals: { email },
  options: {
    seen: { type: 'number', demandOption: true, describe: 'the version that parley drafts show has shown' },
  },
  examples: [['drafts approve eml_0190… --seen 2', 'sends the version that was shown']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const sent = await parley.emails.approve(
      values.email,
      { version: values.seen },
      { signal: context.signal },
    );
    result(values, context, sent, () => `${sent.id}  ${sent.status}  to ${cleanLine(sent.to.join(', '))}`);
  },
});

const discard = command({
  name: 'discard',
  summary: 'Discards a draft for good.',
  positionals: { email },
  examples: [['drafts discard eml_0190…', 'discards a draft']],
  run: async (values, context) => {
    const canceled = await clientOf(values, context).emails.cancel(values.email, { signal: context.signal });
    result(values, context, canceled, () => `${canceled.id}  ${canceled.status}`);
  },
});

function draftsText(drafts: readonly Email[], terminal: Terminal): string {
  const columns = [
    { title: 'ID' },
    { title: 'WRITTEN' },
    { title: 'VERSION' },
    { title: 'TO' },
    { title: 'SUBJECT', flexible: true },
  ];
  const rows = drafts.map(({ id, created_at: at, to, subject, draft }) => [
    id,
    shortTime(at),
    String(draft?.version ?? ''),
    to.join(', '),
    subject,
  ]);
  return table(columns, rows, terminal);
}

export const drafts = group({
  name: 'drafts',
  summary: 'Emails that wait for their approval.',
  commands: [list, show, approve, discard],
});
