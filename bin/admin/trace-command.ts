/** The operator's command for a single email: `trace ID`. */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { timestamp } from '../../lib/adapters/clock.ts';
import { idPrefixes, parseId } from '../../lib/core/ids.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import type { Traced } from '../../lib/services/trace/find-traced.ts';
import { progressEvery } from '../operator/progress.ts';
import { boundedText, quoted } from '../operator/values.ts';
import type { AdminCommand } from './command.ts';

/** Longest Message-ID: a line of a message (RFC 5322, 2.1.1). */
const idMax = 998;

const takes =
  'trace takes the id of an email (eml_…), an event (evt_…), a delivery (dlv_…) or a request, a Message-ID, or an SES message id.';

export const traceCommand: AdminCommand = {
  summary:
    'Shows the way of an email: request, claims, SES, events, webhooks and log lines, in the order of time.',
  details:
    'Without addresses and content, with the sections of docs/runbook.md that may apply. The log groups keep a month. ' +
    'Without --workspace every workspace is asked for the id. An id that begins with - has a space before it: trace " -abc". ' +
    'Against AWS it needs logs:FilterLogEvents.',
  positionals: {
    id: {
      demandOption: true,
      describe: 'eml_…, evt_…, dlv_…, a Message-ID, an SES message id, or a request id',
    },
  },
  options: { workspace: { type: 'string', describe: 'slug of the workspace; else it is found' } },
  examples: [
    ['trace eml_0197f6c2a4b87d1e9f3a5c6b7d8e9f01', 'by the id of the email'],
    ['trace 7Yb0sD4rQ3mJ1kV9nLxT2w', 'by X-Request-ID of the response'],
    ['trace evt_0197f6c2a4b87d1e9f3a5c6b7d8e9f01 --workspace acme --json', 'by an event, for a program'],
  ],
  async prepare(name, values) {
    const id = checkedId(String(values.id).trim());
    const slug = values.workspace === undefined ? null : String(values.workspace);
    return {
      subject: slug === null ? { kind: 'deployment' } : { kind: 'workspace', slug },
      isAudited: false,
      isAuditedFirst: false,
      takesErased: false,
      audited: name,
      run: (workspace) => trace(id, workspace),
    };
  },
};

/** @throws UsageError */
function checkedId(text: string): string {
  const id = boundedText('id', text, idMax);
  const [, prefix = ''] = /^([a-z]+)_/.exec(id) ?? [];
  if (id.includes('@')) return id;
  if (prefix === 'eml' || prefix === 'evt' || prefix === 'dlv') {
    if (parseId(prefix, id)) return id;
    throw new UsageError(`${quoted(id)} is no id: 32 characters of 0-9 and a-f follow ${prefix}_.`);
  }
  const kind = Object.entries(idPrefixes).find(([known]) => known === prefix)?.[1];
  if (kind) throw new UsageError(`${quoted(id)} is the id of another kind (${kind}): ${takes}`);
  // As the API takes X-Request-ID.
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw new UsageError(`${quoted(id)} is no id: ${takes}`);
  return id;
}

async function trace(id: string, workspace: Workspace | null) {
  const [{ findTraced }, { traceEmail }] = await Promise.all([
    import('../../lib/services/trace/find-traced.ts'),
    import('../../lib/services/trace/trace-email.ts'),
  ]);
  const [asked, read] = [progressEvery(10_000), progressEvery(100)];
  const found = await findTraced(id, workspace?.id ?? null, ({ workspaces, pages }) => {
    asked(workspaces, () => `${workspaces} workspaces asked`);
    read(pages, () => `${pages} pages of logs read`);
  });
  const [first, ...others] = found;
  if (first && others.length > 0) throw several(id, found);
  const steps = first && (await traceEmail(first));
  if (!steps) {
    const where = workspace ? `The workspace "${workspace.slug}" has` : 'There is';
    throw new Refused(
      `${where} no email of ${quoted(id)}.`,
      'Of a request, the log groups keep a month; a request that accepted no email has none.',
    );
  }
  return steps.map(({ at, ...step }) => ({ at: timestamp(at), ...step }));
}

const namedMax = 10;

function several(id: string, found: readonly Traced[]): Refused {
  const named = found.slice(0, namedMax).map(({ emailId }) => emailId);
  const more = found.length > namedMax ? ' …' : '';
  return new Refused(
    `${quoted(id)} leads to ${found.length} emails: ${named.join(' ')}${more}`,
    'Give the id of one of them.',
  );
}
