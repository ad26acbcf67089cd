/** `parley rules`: whose mail is received. */
import type { CreateInboundRuleBody, InboundRule } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { cleanLine } from '../terminal/clean.ts';
import { type Context, group } from '../terminal/command.ts';
import { Refused } from '../terminal/exit.ts';
import { table } from '../terminal/tables.ts';

const list = command({
  name: 'list',
  summary: 'Lists inbound rules, oldest first.',
  options: {
    space: { describe: 'only of this space; none: of the workspace itself' },
    ...listOptions,
  },
  examples: [['rules list', 'lists the first twenty']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const read = (query: object) => parley.inboundRules.list(query, { signal: context.signal });
    const page = await listUpTo(read, given({ space: values.space }), values);
    result(values, context, page, () =>
      page.data.length === 0
        ? 'There are no inbound rules: everybody can write.'
        : rulesText(page.data, context) + moreOf(page.next_cursor),
    );
  },
});

const sender = {
  demandOption: true,
  describe: 'anna@acme.dev, anna+*@acme.dev (any tag), @acme.dev, or @*.acme.dev (its subdomains)',
} as const;
const scopeOptions = {
  address: { describe: 'only at this address of the workspace' },
  space: { describe: 'only in this space' },
  note: { describe: 'why, for yourself' },
} as const;

const block = command({
  name: 'block',
  summary: 'Blocks a sender, from the next message on.',
  positionals: { sender },
  options: scopeOptions,
  examples: [
    ['rules block @spam.example', 'blocks a domain'],
    ['rules block eve@acme.dev --address support@acme.test', 'blocks an address at one of yours'],
  ],
  run: async ({ sender: pattern, address, space, note, ...values }, context) => {
    const body = given({ action: 'block' as const, pattern, address, space_id: space, note });
    const rule = await created(values, context, body);
    result(values, context, rule, () => `Blocked ${cleanLine(rule.pattern)} ${placeText(rule)}.  ${rule.id}`);
  },
});

const allow = command({
  name: 'allow',
  summary: 'Allows a sender, and blocks everybody that no allow rule of the scope names.',
  details:
    'The rules of the narrowest scope decide: of the address, then of the space, then of the workspace. A scope with an ' +
    'allow rule takes mail of the allowed senders only.',
  positionals: { sender },
  options: scopeOptions,
  examples: [
    ['rules allow @acme.dev --address agent@acme.test', 'lets only a domain write to one of your addresses'],
  ],
  run: async ({ sender: pattern, address, space, note, ...values }, context) => {
    const body = given({ action: 'allow' as const, pattern, address, space_id: space, note });
    const rule = await created(values, context, body);
    result(values, context, rule, () =>
      [
        `Allowed ${cleanLine(rule.pattern)} ${placeText(rule)}.  ${rule.id}`,
        'Everybody that no allow rule names is blocked there.',
      ].join('\n'),
    );
  },
});

const created = async (values: object, context: Context, body: CreateInboundRuleBody): Promise<InboundRule> =>
  await clientOf(values, context).inboundRules.create(body, { signal: context.signal });

/** As many as a workspace can have. */
const rulesMax = 10_000;

const remove = command({
  name: 'remove',
  summary: 'Deletes an inbound rule: it does not count for the next message.',
  positionals: {
    rule: { demandOption: true, describe: 'rul_…, or a sender, whose rules of every scope are deleted' },
  },
  examples: [
    ['rules remove @spam.example', 'deletes all rules of a sender'],
    ['rules remove rul_0190…', 'deletes one rule'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const options = { signal: context.signal };
    const sought = values.rule.toLowerCase();
    const found = sought.startsWith('rul_')
      ? [sought]
      : (await parley.inboundRules.list({ limit: 100 }, options).toArray({ max: rulesMax }))
          .filter(({ pattern }) => pattern === sought)
          .map(({ id }) => id);
    if (found.length === 0) throw new Refused(`There is no inbound rule for ${values.rule}.`);
    for (const id of found) await parley.inboundRules.delete(id, options);
    const data = found.map((id) => ({ id, deleted: true }));
    result(values, context, { data }, () => `Deleted ${found.join(', ')}.`);
  },
});

export const rules = group({
  name: 'rules',
  summary: 'Inbound rules, which say whose mail is received: list, block, allow, remove.',
  commands: [list, block, allow, remove],
});

function placeText({ address, space_id: space }: InboundRule): string {
  const parts = [address && `at ${cleanLine(address)}`, space && `in ${space}`].filter(Boolean);
  return parts.join(' ') || 'in the whole workspace';
}

function rulesText(data: readonly InboundRule[], { terminal }: Context): string {
  const columns = [
    { title: 'ACTION' },
    { title: 'SENDER', flexible: true },
    { title: 'WHERE', flexible: true },
    { title: 'SINCE' },
    { title: 'ID' },
    { title: 'NOTE', flexible: true },
  ];
  const rows = data.map((rule) => [
    rule.action,
    rule.pattern,
    placeText(rule),
    shortTime(rule.created_at),
    rule.id,
    rule.note ?? '',
  ]);
  return table(columns, rows, terminal);
}
