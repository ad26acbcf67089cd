/** Positions in the event log: a time, or the id of an event (docs/concepts/webhooks.md#event-log). */
import * as z from 'zod';
import { type EventId, parseId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { eventIdsAt } from '../../core/webhooks/event.ts';
import { parseTimestamp } from '../schemas.ts';

/** A query parameter, parsed to the last event before the position (`after`) or the first one behind it (`before`). */
export function eventPosition(side: 'after' | 'before') {
  return z
    .string()
    .max(limits.timestampCharacters, { abort: true })
    .transform((text, context): EventId => {
      const id = parseId('evt', text);
      if (id) return id;
      const atMs = parseTimestamp(text);
      if (atMs !== null) return eventIdsAt(Math.max(atMs, 0))[side === 'after' ? 'last' : 'first'];
      const message = 'must be the id of an event or an RFC 3339 time with an offset';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({
      description: `Only events that were recorded ${side} this event or RFC 3339 time with an offset.`,
      examples: ['2026-01-31T12:00:00Z'],
    });
}
