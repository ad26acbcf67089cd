/** The table of event types: what TypeScript does not check in it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventTypes, eventTypeTable } from '../../../lib/core/webhooks/event-types.ts';
import { withEventTypeRows } from '../../../scripts/event-type-rows.ts';

const root = join(import.meta.dirname, '../../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('each event type', () => {
  it.each(eventTypes)('%s has a summary, and a section that names it', (type) => {
    const { summary, documentation } = eventTypeTable[type];
    expect(summary).toMatch(/^[A-Z].*\.$/);
    // That the heading exists: test/architecture.test.ts.
    const [page = ''] = documentation.split('#');
    expect(textOf(page).includes(`\`${type}\``), `${documentation} is to name \`${type}\``).toBe(true);
  });

  it('is published by a service', () => {
    const services = globSync('lib/services/**/*.ts', { cwd: root }).map(textOf).join('\n');
    const publishing = services.replaceAll(/(?:\baction:|\blogEvent\() *'[\w.]+'/g, '');
    expect(publishing).not.toBe(services);
    const silent = eventTypes.filter((type) => !publishing.includes(`'${type}'`));
    expect(silent, 'call `newEvent` with the type in `lib/services`').toEqual([]);
  });

  it('is in the table of docs/concepts/webhooks.md as in the code', () => {
    const page = textOf('docs/concepts/webhooks.md');
    expect(page === withEventTypeRows(page), 'refresh it with `npm run openapi`').toBe(true);
  });
});
