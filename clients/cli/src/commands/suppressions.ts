/** `parley suppressions`: addresses that sends leave out. */
import type { Suppression } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { group } from '../terminal/command.ts';
import { Refused } from '../terminal/exit.ts';
import { table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

const key = { describe: 'the list: a suppression key, or * for all sends' } as const;

const list = command({
  name: 'list',
  summary: 'Lists suppressions, newest first.',
  options: {
    address: { describe: 'only this address' },
    key,
    reason: { choices: ['complaint', 'bounce', 'unsubscribe', 'manual'], describe: 'only for this reason' },
    space: { describe: 'only of this space; none: of the workspace itself' },
    ...listOptions,
  },
  examples: [
    ['suppressions list', 'lists the newest twenty'],
    ['suppressions list --reason complaint --limit 1000 --json', 'lists complaints, for a program'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const { address, key: list, reason, space } = values;
    const read = (query: object) => parley.suppressions.list(query, { signal: context.signal });
    const page = await listUpTo(read, given({ address, key: list, reason, space }), values);
    result(values, context, page, () => {
      if (page.data.length === 0) return 'There are no suppressions.';
      return suppressionsText(page.data, context.terminal) + moreOf(page.next_cursor);
    });
  },
});

const addressesMax = 1000;

const add = command({
  name: 'add',
  summary: 'Suppresses addresses: sends leave them out.',
  positionals: { addresses: { array: true, demandOption: true, describe: 'one or several' } },
  options: { key, note: { describe: 'why, for yourself' }, space: { describe: 'the space of the list' } },
  examples: [['suppressions add anna@example.com --note "asked by phone"', 'suppresses an address']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const { addresses, key: list, note, space } = values;
    if (addresses.length > addressesMax) throw new Refused(`At most ${addressesMax} addresses at a time.`);
    const body = given({ addresses, key: list, note, space_id: space });
    const made = await parley.suppressions.create(body, { signal: context.signal });
    result(values, context, made, () => suppressionsText(made.data, context.terminal));
  },
});

const remove = command({
  name: 'remove',
  summary: 'Takes an address off: the next send reaches it again.',
  positionals: {
    suppression: { demandOption: true, describe: 'sup_…, or an address, which is taken off every list' },
  },
  options: { key: { describe: 'with an address: only this list' } },
  examples: [
    ['suppressions remove anna@example.com', 'takes it off every list'],
    ['suppressions remove sup_0190…', 'takes one suppression off'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const options = { signal: context.signal };
    const { suppression, key: list } = values;
    const found = suppression.startsWith('sup_')
      ? [suppression]
      : (
          await parley.suppressions
            .list(given({ address: suppression, key: list, limit: 100 }), options)
            .toArray({ max: 1000 })
        ).map(({ id }) => id);
    if (found.length === 0) throw new Refused(`${suppression} is not suppressed.`);
    for (const id of found) await parley.suppressions.delete(id, options);
    const data = found.map((id) => ({ id, deleted: true }));
    result(values, context, { data }, () => `Removed ${found.join(', ')}.`);
  },
});

export const suppressions = group({
  name: 'suppressions',
  summary: 'Addresses that sends leave out: list, add, remove.',
  commands: [list, add, remove],
});

function suppressionsText(data: readonly Suppression[], terminal: Terminal): string {
  const columns = [
    { title: 'ADDRESS', flexible: true },
    { title: 'LIST' },
    { title: 'REASON' },
    { title: 'SINCE' },
    { title: 'BLOCKED' },
    { title: 'ID' },
    { title: 'NOTE', flexible: true },
  ];
  const rows = data.map((one) => [
    one.address,
    one.key,
    one.reason,
    shortTime(one.created_at),
    String(one.blocks),
    one.id,
    one.note ?? '',
  ]);
  return table(columns, rows, terminal);
}
