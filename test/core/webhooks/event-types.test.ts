/** The list of event types. */
import { expect, it } from 'vitest';
import { eventTable, eventTypes } from '../../../lib/core/webhooks/event-types.ts';

it('has the fifteen types of the contract, each named after what it is about', () => {
  expect(eventTypes).toHaveLength(15);
  for (const type of eventTypes) expect(type.split('.')[0]).toBe(eventTable[type].subject);
});
