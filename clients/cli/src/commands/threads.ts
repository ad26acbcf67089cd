/** `parley threads` and `parley read`. */
import type { FullEmail, Thread } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { cleanLine, cleanText } from '../terminal/clean.ts';
import { table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const threads = command({
  name: 'threads',
  summary: 'Lists threads, most recently active first.',
  options: {
    query: { describe: 'words of the subject, the mailbox and the participants' },
    mailbox: { describe: 'only threads of this address of the workspace' },
    space: { describe: 'only threads of this space; none: of the workspace itself' },
    label: { array: true, describe: 'only threads with this label; with all of them where it is repeated' },
    unread: {
      type: 'boolean',
      describe: 'only threads that a person wrote to since they were marked as read',
    },
    unclaimed: { type: 'boolean', describe: 'only threads that nobody has claimed' },
    ...listOptions,
  },
  examples: [
    ['threads', 'lists the newest twenty'],
    ['threads --query invoice --limit 100 --json', 'searches, for a program'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const { query, mailbox, space, label, unread, unclaimed } = values;
    const page = await listUpTo(
      (q) => parley.threads.list(q, { signal: context.signal }),
      given({
        query,
        mailbox,
        space,
        label,
        read: unread ? false : undefined,
        claimed: unclaimed ? false : undefined,
      }),
      values,
    );
    result(values, context, page, () => {
      if (page.data.length === 0) return 'There are no threads.';
      return threadsText(page.data, context.terminal) + moreOf(page.next_cursor);
    });
  },
});

/** Labels and claims have columns where a thread has one. */
function threadsText(threads: readonly Thread[], terminal: Terminal): string {
  const columns = [
    { title: 'THREAD' },
    { title: 'LAST' },
    { title: 'NO.' },
    { title: 'WITH', flexible: true },
    { title: 'SUBJECT', flexible: true },
    ...(threads.some(({ labels }) => labels.length > 0) ? [{ title: 'LABELS', flexible: true }] : []),
    ...(threads.some(({ claim }) => claim !== null) ? [{ title: 'CLAIMED BY', flexible: true }] : []),
  ];
  const titles = new Set(columns.map(({ title }) => title));
  const rows = threads.map((thread) => [
    thread.id,
    shortTime(thread.last_message_at),
    String(thread.message_count),
    thread.participants.join(', '),
    thread.subject || '(no subject)',
    ...(titles.has('LABELS') ? [thread.labels.join(', ')] : []),
    ...(titles.has('CLAIMED BY') ? [thread.claim?.owner ?? ''] : []),
  ]);
  return table(columns, rows, terminal);
}

export const read = command({
  name: 'read',
  summary: 'Prints the messages of a thread: the new words, with quotes folded and files listed.',
  details: 'With --json: one page of the thread as the API has it; --cursor takes its next_message_cursor.',
  positionals: { thread: { demandOption: true, describe: 'thr_…, from parley threads' } },
  options: {
    last: { type: 'number', describe: 'only the newest so many messages' },
    full: { type: 'boolean', describe: 'also quotes and signatures' },
    limit: { type: 'number', default: 100, describe: 'messages of a page, with --json' },
    cursor: { describe: 'next_message_cursor of the page before, with --json' },
  },
  examples: [
    ['read thr_0190…', 'prints the conversation'],
    ['read thr_0190… --last 3 --full', 'prints the newest three messages whole'],
  ],
  run: async (values, context) => {
    const { terminal, signal } = context;
    const parley = clientOf(values, context);
    if (values.json) {
      const query = given({ message_limit: values.limit, message_cursor: values.cursor });
      const page = await parley.threads.retrieve(values.thread, query, { signal });
      result(values, context, page, () => '');
      return;
    }
    const kept: FullEmail[] = [];
    let isFirst = true;
    const print = (email: FullEmail) => {
      terminal.print(`${isFirst ? '' : '\n'}${messageText(email, terminal, values.full === true)}`);
      isFirst = false;
    };
    for await (const email of parley.threads.messages(values.thread, { message_limit: 100 }, { signal })) {
      if (signal.aborted) return;
      if (values.last === undefined) print(email);
      else if (kept.push(email) > values.last) kept.shift();
    }
    for (const email of kept) print(email);
  },
});

/** A message with its new words. Everything of it is a stranger's text. */
export function messageText(email: FullEmail, { colors }: Pick<Terminal, 'colors'>, isFull: boolean): string {
  const { bold, dim, cyan, yellow, red } = colors;
  const { name, address } = email.from;
  const isReceived = email.direction === 'inbound';
  const from = cleanLine(name === null ? address : `${name} <${address}>`);
  const status = isReceived || email.status === 'delivered' ? '' : `  ${yellow(email.status)}`;
  const failed = Object.entries(email.verdicts).filter(([, verdict]) => verdict === 'FAIL');
  const verdicts =
    failed.length > 0 ? `  ${red(`failed: ${failed.map(([check]) => check).join(', ')}`)}` : '';
  const head = [
    `${isReceived ? cyan('◀') : '▶'} ${bold(from)} ${dim(`to ${cleanLine(email.to.join(', '))}`)}`,
    dim(`  ${shortTime(email.sent_at ?? email.created_at)}  ${email.id}`) + status + verdicts,
    bold(`  ${cleanLine(email.subject) || '(no subject)'}`),
  ];
  const signals = email.signals.map(
    ({ code, detail }) => `  ${yellow('!')} ${code.replaceAll('_', ' ')}: ${dim(cleanLine(detail))}`,
  );
  const files = email.attachments.map(
    ({ id, filename, size }) => `  ${yellow('+')} ${cleanLine(filename)} ${dim(`${sizeText(size)}  ${id}`)}`,
  );
  const hidden = hiddenOf(email, isFull);
  return [
    ...head,
    ...signals,
    '',
    ...indented(wordsOf(email, isFull, dim)),
    ...(hidden === null ? [] : ['', ...indented(dim(hidden))]),
    ...(files.length > 0 ? ['', ...files] : []),
  ].join('\n');
}

function wordsOf(email: FullEmail, isFull: boolean, dim: (text: string) => string): string {
  if (email.segments.length === 0) return cleanText(email.text ?? '').trim() || dim('(no text)');
  const parts = email.segments.map(({ kind, text }) => {
    const words = cleanText(text).replace(/^\n+|\s+$/g, '');
    if (kind === 'written' || words === '') return words;
    if (isFull) return dim(words);
    const lines = words.split('\n').length;
    return dim(`[${kind === 'quoted' ? 'quote' : 'signature'}, ${lines} ${lines === 1 ? 'line' : 'lines'}]`);
  });
  return parts.filter((part) => part !== '').join('\n\n') || dim('(no text)');
}

/** What a person does not see, apart from the words. */
function hiddenOf({ hidden_text: hidden }: FullEmail, isFull: boolean): string | null {
  if (!hidden) return null;
  const words = cleanText(hidden).trim();
  return isFull ? `[hidden text]\n${words}` : `[hidden text, ${words.length} characters]`;
}

const indented = (text: string): string[] => text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
