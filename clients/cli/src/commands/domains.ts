/** `parley domains`: domains with their DNS records, and what is wrong with them. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Domain,
  type DomainWithRecords,
  ForbiddenError,
  type Parley,
} from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { command, given, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { cleanLine, cleanText, toJson } from '../terminal/clean.ts';
import { group } from '../terminal/command.ts';
import { Refused } from '../terminal/exit.ts';
import { styled, table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

const list = command({
  name: 'list',
  summary: 'Lists the domains, oldest first.',
  options: listOptions,
  examples: [['domains list', 'lists the domains']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const page = await listUpTo(
      (query) => parley.domains.list(query, { signal: context.signal }),
      {},
      values,
    );
    result(values, context, page, () => {
      if (page.data.length === 0) return 'There are no domains.';
      const columns = [
        { title: 'DOMAIN', flexible: true },
        { title: 'VERIFIED' },
        { title: 'REGION' },
        { title: 'ID' },
      ];
      const rows = page.data.map((domain) => [domain.name, verifiedText(domain), domain.region, domain.id]);
      return table(columns, rows, context.terminal) + moreOf(page.next_cursor);
    });
  },
});

const add = command({
  name: 'add',
  summary: 'Adds a domain, and shows the DNS records to publish.',
  positionals: { name: { demandOption: true, describe: 'acme.dev, or *.acme.dev for every name below' } },
  options: {
    region: { describe: 'the mail region; else that of the deployment' },
    space: { describe: 'the space of the domain' },
  },
  examples: [
    ['domains add acme.dev', 'shows the records'],
    ['domains check acme.dev --watch', 'waits until they are found'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const { name, region, space } = values;
    const domain = await parley.domains.create(given({ name, region, space_id: space }), {
      signal: context.signal,
    });
    result(values, context, domain, () => domainText(domain, context.terminal));
  },
});

/** A check costs 20 units of the request budget. */
const watchEveryMs = 10_000;

const check = command({
  name: 'check',
  summary: 'Looks up the DNS records of a domain now, and says what is wrong.',
  details:
    'Exit code 0: the domain is verified. With --watch, looks again every ten seconds until all records are found.',
  positionals: { domain: { demandOption: true, describe: 'a name or dom_…' } },
  options: { watch: { type: 'boolean', describe: 'until all records are found' } },
  examples: [
    ['domains check acme.dev', 'shows the records with their states'],
    ['domains check acme.dev --watch', 'waits until all are found'],
  ],
  run: async (values, context) => {
    const { terminal, signal } = context;
    const parley = clientOf(values, context);
    const id = await idOf(values.domain, parley, signal);
    let shown = '';
    for (;;) {
      const domain = await checked(id, parley, signal);
      const text = values.json ? toJson(domain, values.watch ? 0 : 2) : domainText(domain, terminal);
      const isDone = domain.records.every(({ state }) => state === 'verified');
      // The time of the look-up alone is no change.
      const state = JSON.stringify([domain.records.map((record) => record.state), domain.findings]);
      if (state !== shown) terminal.print(text);
      shown = state;
      if (!values.watch || isDone) return domain.verified_at === null && !domain.provided ? 1 : 0;
      if (terminal.isInteractive) terminal.note(terminal.noteColors.dim('Looking again in 10 s …'));
      await pause(watchEveryMs, undefined, { signal });
    }
  },
});

export const domains = group({
  name: 'domains',
  summary: 'Domains with their DNS records: list, add, check.',
  commands: [list, add, check],
});

/** The domain after a check, with everything that is wrong. A key that may not check gets the states of the last check. */
async function checked(id: string, parley: Parley, signal: AbortSignal): Promise<DomainWithRecords> {
  const domain = await parley.domains.verify(id, { signal }).catch((error: unknown) => {
    if (error instanceof ForbiddenError) return parley.domains.retrieve(id, { signal });
    throw error;
  });
  const { data } = await parley.domains.diagnose(id, { signal });
  return { ...domain, findings: data };
}

/** @throws Refused */
async function idOf(nameOrId: string, parley: Parley, signal: AbortSignal): Promise<string> {
  if (nameOrId.startsWith('dom_')) return nameOrId;
  const name = nameOrId.toLowerCase();
  for await (const domain of parley.domains.list({ limit: 100 }, { signal })) {
    if (domain.name === name) return domain.id;
  }
  throw new Refused(`There is no domain "${nameOrId}".`, `parley domains list shows those that are there.`);
}

const verifiedText = ({ verified_at, provided }: Domain): string => {
  if (provided) return 'provided';
  return verified_at === null ? 'no' : shortTime(verified_at);
};

export function domainText(domain: DomainWithRecords, terminal: Terminal): string {
  const { bold, green, red, yellow, dim } = terminal.colors;
  const isReady = domain.verified_at !== null || domain.provided;
  const lines = [
    `${bold(cleanLine(domain.name))}  ${isReady ? green(verifiedText(domain)) : red('not verified')}  ${dim(domain.id)}`,
  ];
  if (domain.records.length > 0) lines.push(...recordLines(domain.records, terminal));
  for (const { severity, title, detail, fix } of domain.findings) {
    const color = { breaking: red, risk: yellow, tip: dim }[severity];
    lines.push(
      '',
      `${color(severity)}  ${bold(cleanLine(title))}`,
      `  ${cleanText(detail).replaceAll('\n', '\n  ')}`,
    );
    if (fix) lines.push(`  ${cleanText(fix).replaceAll('\n', '\n  ')}`);
  }
  return lines.join('\n');
}

/** A table, and below it what is missing, whole: a table of a terminal is cut. */
function recordLines(records: DomainWithRecords['records'], terminal: Terminal): string[] {
  const { green, red, yellow, dim } = terminal.colors;
  const columns = [
    { title: 'FOR' },
    { title: 'STATE' },
    { title: 'TYPE' },
    { title: 'NAME', flexible: true },
    { title: 'VALUE', flexible: true },
  ];
  const colors = { verified: green, missing: red, pending: yellow };
  const rows = records.map((record) => [
    record.purpose,
    styled(colors[record.state](record.state)),
    record.type,
    record.name,
    recordValue(record),
  ]);
  const lines = ['', table(columns, rows, terminal)];
  if (terminal.columns === Number.POSITIVE_INFINITY) return lines;
  for (const record of records.filter(({ state }) => state !== 'verified')) {
    const name = `  ${cleanLine(record.name)} ${record.type}`;
    lines.push('', dim(`${record.purpose}: publish`), name, `  ${cleanLine(recordValue(record))}`);
  }
  return lines;
}

const recordValue = ({ priority, value }: DomainWithRecords['records'][number]): string =>
  priority === null ? value : `${priority} ${value}`;
