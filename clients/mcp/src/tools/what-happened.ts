/** What happened since: the event log. */
import * as z from 'zod';
import { eventTypes } from '../../../../lib/core/webhooks/event-types.ts';
import type { Event } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { listed } from '../mail-facts.ts';
import { type Facts, type Shown, Untrusted } from '../result.ts';
import { oneLine } from '../shown-text.ts';
import { reads, tool } from '../tool.ts';
import { cursor, limit, space } from './arguments.ts';

/** Facts of the service. Texts of others are in `written`. */
const facts = [
  'email_id',
  'thread_id',
  'domain_id',
  'mailbox_id',
  'category',
  'permanent',
  'bot',
  'scope',
  'source',
];
const written = [
  'from',
  'to',
  'subject',
  'snippet',
  'recipients',
  'reason',
  'address',
  'mailbox',
  'name',
  'url',
];

function shownValue(value: unknown): Shown {
  if (Array.isArray(value)) return listed(value.filter((one) => typeof one === 'string'));
  if (typeof value === 'string') return oneLine(value, limits.subjectCharacters);
  return typeof value === 'boolean' || typeof value === 'number' ? value : undefined;
}

function picked(data: object, names: readonly string[]): Record<string, Shown> {
  const entries = Object.entries(data).filter(([name]) => names.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, shownValue(value)]));
}

function eventFacts({ id, type, created_at: at, space_id, data }: Event): Facts {
  return {
    event_id: id,
    type,
    at,
    ...(space_id !== null && { space_id }),
    ...picked(data, facts),
    untrusted: new Untrusted(picked(data, written)),
  };
}

export const whatHappened = tool({
  name: 'what_happened',
  title: 'What happened',
  description:
    'Lists events: mail that arrived, was sent, delivered, bounced or refused, opens, clicks, unsubscribing, and changes of domains and ' +
    'mailboxes. With after: the oldest first, from there on; keep the newest event_id for the next time. Without: the newest first. ' +
    'Events appear within about ten seconds, so that a few can come before the newest known one: to miss none, begin a minute earlier.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({
    after: z
      .string()
      .max(64)
      .optional()
      .describe('An event_id, or a time in RFC 3339 with an offset: only what was recorded after it.'),
    types: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).optional().describe('Only these types.'),
    space,
    limit: limit(100, 30),
    cursor,
  }),
  async run({ after, types, limit: most, cursor: given, space: of }, { parley, signal }) {
    const events: Event[] = [];
    let next: string | null = given ?? null;
    for (let pages = 0; pages < limits.pages && events.length < most; pages += 1) {
      const page = await parley.events.list(
        {
          after,
          type: types,
          space: of,
          order: after === undefined ? 'desc' : 'asc',
          limit: most - events.length,
          ...(next !== null && { cursor: next }),
        },
        { signal },
      );
      events.push(...page.items);
      next = page.next_cursor;
      if (next === null) break;
    }
    return { found: events.length, events: events.map(eventFacts), next_cursor: next };
  },
});
