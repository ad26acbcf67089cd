/** The list of event types. */
import { expect, it } from 'vitest';
import { eventTable, eventTypes } from '../../../lib/core/webhooks/event-types.ts';

it('eventTypes has the fifteen types of docs/concepts/webhooks.md#event-types, each named after its subject', () => {
  expect(eventTypes).toHaveLength(15);
  for (const type of eventTypes) expect(type.split('.')[0]).toBe(eventTable[type].subject);
});
