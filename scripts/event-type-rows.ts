/** The table of event types in `docs/concepts/webhooks.md`, from their rows and schemas. `npm run openapi` writes it. */
import { eventTypes, eventTypeTable } from '../lib/core/webhooks/event-types.ts';
import { eventBodies } from '../lib/http/presenters/events.ts';

/** Fields that many types have, by their abbreviation on the page. */
const abbreviations = Object.entries({
  '*E*': '`email_id`, `thread_id`, `domain_id`, `mailbox_id`, `message_id`',
  '*M*': '`from`, `subject`, `snippet`, `attachments`',
});

const head = '| Type | Sent when | `data` |\n|---|---|---|\n';

/** The table as Markdown. */
export function eventTypeRows(): string {
  const rows = eventTypes.map((type) => {
    const { summary, documentation } = eventTypeTable[type];
    const names = Object.keys(eventBodies[type].schema.shape.data.shape).map((name) => `\`${name}\``);
    const data = abbreviations.reduce((text, [short, long]) => text.replace(long, short), names.join(', '));
    return `| \`${type}\` | [${summary}](${documentation.replace('docs/concepts/', '')}) | ${data} |\n`;
  });
  return head + rows.join('');
}

/** The page with the table of today. @throws Error where the page has no such table */
export function withEventTypeRows(page: string): string {
  const start = page.indexOf(head);
  if (start === -1) throw new Error('docs/concepts/webhooks.md has no table of event types');
  return page.slice(0, start) + eventTypeRows() + page.slice(page.indexOf('\n\n', start) + 1);
}
