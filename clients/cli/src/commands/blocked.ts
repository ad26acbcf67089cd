/** `parley blocked`: mail that inbound rules kept out. */
import type { EmailBlockedEvent, Event } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { group } from '../terminal/command.ts';
import { table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

const list = command({
  name: 'list',
  summary: 'Lists blocked mail, newest first, as the event log has it.',
  details: 'With --json: the events email.blocked.',
  options: {
    space: { describe: 'only of this space; none: of the workspace itself' },
    ...listOptions,
  },
  examples: [['blocked list', 'lists the newest twenty']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const read = (query: object) => parley.events.list(query, { signal: context.signal });
    const query = { type: ['email.blocked'], ...given({ space: values.space }) };
    const page = await listUpTo(read, query, values);
    result(values, context, page, () =>
      page.data.length === 0
        ? 'Nothing was blocked.'
        : blockedText(page.data.filter(isBlocked), context.terminal) + moreOf(page.next_cursor),
    );
  },
});

const isBlocked = (event: Event): event is EmailBlockedEvent => event.type === 'email.blocked';

const accept = command({
  name: 'accept',
  summary: 'Lets blocked mail in, as if there were no rules. The rules stay.',
  details: 'It is received within seconds. Blocked mail is kept for 30 days. Needs a key of scope full.',
  positionals: { blocked: { array: true, demandOption: true, describe: 'blk_…, from parley blocked list' } },
  examples: [['blocked accept blk_0190…', 'lets a message in']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const ids = values.blocked;
    for (const id of ids) await parley.blockedEmails.accept(id, { signal: context.signal });
    const data = ids.map((id) => ({ id, accepted: true }));
    result(values, context, { data }, () => `Let in ${ids.join(', ')}: received within seconds.`);
  },
});

export const blocked = group({
  name: 'blocked',
  summary: 'Mail that inbound rules kept out: list, accept.',
  commands: [list, accept],
});

function blockedText(events: readonly EmailBlockedEvent[], terminal: Terminal): string {
  const columns = [
    { title: 'BLOCKED' },
    { title: 'FROM', flexible: true },
    { title: 'TO', flexible: true },
    { title: 'SUBJECT', flexible: true },
    { title: 'ID' },
  ];
  const rows = events.map(({ created_at: at, data }) => [
    shortTime(at),
    data.from,
    data.to.join(', '),
    data.subject || '(no subject)',
    data.blocked_email_id,
  ]);
  return table(columns, rows, terminal);
}
