/** `--type`: the events that a command is about. */
import { type EventType, eventTypes } from '../../../../lib/core/webhooks/event-types.ts';
import { UsageError } from '../terminal/exit.ts';

export const typeOption = {
  array: true,
  describe: 'only events of this type; may be repeated, and email.* is all of email',
} as const;

/** The types; null: all. @throws UsageError */
export function wantedTypes(given: readonly string[] | undefined): ReadonlySet<EventType> | null {
  if (given === undefined) return null;
  const wanted = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  return new Set(wanted.flatMap(matching));
}

function matching(pattern: string): readonly EventType[] {
  const found = pattern.endsWith('.*')
    ? eventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)))
    : eventTypes.filter((type) => type === pattern);
  if (found.length === 0) {
    throw new UsageError(`There is no event type "${pattern}". There are: ${eventTypes.join(', ')}.`);
  }
  return found;
}
