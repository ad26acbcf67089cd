/** `parley webhooks`: endpoints and their deliveries. */

import { eventTypes } from '../../../../lib/core/webhooks/event-types.ts';
import type { EventType, WebhookDelivery } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { typeOption, wantedTypes } from '../events/types.ts';
import { command, listOptions, listUpTo, moreOf, result, shortTime } from '../output.ts';
import { group } from '../terminal/command.ts';
import { UsageError } from '../terminal/exit.ts';
import { fields, styled, table } from '../terminal/tables.ts';
import type { Terminal } from '../terminal/terminal.ts';

const endpoint = { demandOption: true, describe: 'whk_…, from parley webhooks list' } as const;

const list = command({
  name: 'list',
  summary: 'Lists the endpoints.',
  options: listOptions,
  examples: [['webhooks list', 'lists the endpoints']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const read = (query: object) => parley.webhookEndpoints.list(query, { signal: context.signal });
    const page = await listUpTo(read, {}, values);
    result(values, context, page, () => {
      if (page.data.length === 0) return 'There are no endpoints.';
      const columns = [
        { title: 'ENDPOINT' },
        { title: 'URL', flexible: true },
        { title: 'ON' },
        { title: 'EVENTS', flexible: true },
      ];
      const rows = page.data.map(({ id, url, enabled, subscriptions }) => [
        id,
        url,
        enabled ? 'yes' : 'no',
        subscriptions.length === eventTypes.length ? 'all' : subscriptions.join(', '),
      ]);
      return table(columns, rows, context.terminal) + moreOf(page.next_cursor);
    });
  },
});

const add = command({
  name: 'add',
  summary: 'Adds an endpoint, and shows its signing secret, only this once.',
  positionals: { url: { demandOption: true, describe: 'https://…' } },
  options: { type: { ...typeOption, describe: 'events of this type; may be repeated; else all' } },
  examples: [
    ['webhooks add https://acme.dev/hook', 'takes all events'],
    ['webhooks add https://acme.dev/hook --type email.received --type email.bounced', 'takes two types'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const types = wantedTypes(values.type);
    const subscriptions = types ? ([...types] as EventType[]) : eventTypes;
    const made = await parley.webhookEndpoints.create(
      { url: values.url, subscriptions },
      { signal: context.signal },
    );
    result(values, context, made, () =>
      fields(
        [
          ['endpoint', made.id],
          ['url', made.url],
          ['secret', made.secret ?? '-'],
        ],
        context.terminal,
      ),
    );
  },
});

const remove = command({
  name: 'remove',
  summary: 'Removes an endpoint with its deliveries.',
  positionals: { endpoint },
  examples: [['webhooks remove whk_0190…', 'ends its deliveries']],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    await parley.webhookEndpoints.delete(values.endpoint, { signal: context.signal });
    result(values, context, { id: values.endpoint, deleted: true }, () => `Removed ${values.endpoint}.`);
  },
});

const deliveries = command({
  name: 'deliveries',
  summary: 'Lists the deliveries of an endpoint, newest first, with what it answered.',
  positionals: { endpoint },
  options: {
    failed: { type: 'boolean', describe: 'only failed ones, of the newest --limit' },
    ...listOptions,
  },
  examples: [
    ['webhooks deliveries whk_0190…', 'lists the newest twenty'],
    ['webhooks deliveries whk_0190… --failed --limit 500', 'lists what failed of the newest 500'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const read = (query: object) =>
      parley.webhookEndpoints.listDeliveries(values.endpoint, query, { signal: context.signal });
    const page = await listUpTo(read, {}, values);
    const data = values.failed ? page.data.filter(({ state }) => state === 'failed') : page.data;
    result(values, context, { ...page, data }, () => {
      if (data.length === 0) return 'There are no such deliveries.';
      return deliveriesText(data, context.terminal) + moreOf(page.next_cursor);
    });
  },
});

const retry = command({
  name: 'retry',
  summary: 'Posts deliveries again.',
  positionals: { endpoint, deliveries: { array: true, describe: 'dlv_…, from parley webhooks deliveries' } },
  options: { failed: { type: 'boolean', describe: 'all failed ones of the newest 1,000' } },
  examples: [
    ['webhooks retry whk_0190… dlv_0190…', 'posts one again'],
    ['webhooks retry whk_0190… --failed', 'posts what failed again'],
  ],
  run: async (values, context) => {
    const parley = clientOf(values, context);
    const options = { signal: context.signal };
    const named = values.deliveries ?? [];
    if (named.length > 0 === (values.failed === true))
      throw new UsageError('Name deliveries, or give --failed.');
    const ids = [...named];
    if (values.failed) {
      const all = parley.webhookEndpoints.listDeliveries(values.endpoint, { limit: 100 }, options);
      for (const { id, state } of await all.toArray({ max: 1000 })) if (state === 'failed') ids.push(id);
    }
    const data: WebhookDelivery[] = [];
    for (let at = 0; at < ids.length; at += 100) {
      const body = { delivery_ids: ids.slice(at, at + 100) };
      data.push(...(await parley.webhookEndpoints.retryDeliveries(values.endpoint, body, options)).data);
    }
    result(values, context, { data }, () => {
      const left = ids.length - data.length;
      const missing = left > 0 ? `; ${left} do not exist here any more` : '';
      return `${data.length} ${data.length === 1 ? 'delivery is' : 'deliveries are'} posted again${missing}.`;
    });
  },
});

export const webhooks = group({
  name: 'webhooks',
  summary: 'Endpoints and their deliveries: list, add, remove, deliveries, retry.',
  commands: [list, add, remove, deliveries, retry],
});

function deliveriesText(data: readonly WebhookDelivery[], terminal: Terminal): string {
  const { green, red, yellow } = terminal.colors;
  const colors = { delivered: green, failed: red, pending: yellow };
  const columns = [
    { title: 'DELIVERY' },
    { title: 'TIME' },
    { title: 'EVENT' },
    { title: 'STATE' },
    { title: 'TRIES' },
    { title: 'ANSWER', flexible: true },
  ];
  const rows = data.map(({ id, created_at, event_type, state, attempts }) => {
    const last = attempts.at(-1);
    const answer = last ? `${last.status_code ?? last.error ?? ''}` : '-';
    return [
      id,
      shortTime(created_at),
      event_type,
      styled(colors[state](state)),
      String(attempts.length),
      answer,
    ];
  });
  return table(columns, rows, terminal);
}
