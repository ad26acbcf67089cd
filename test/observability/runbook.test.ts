import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logEvents } from '../../lib/observability/log-events.ts';
import { runbookHeadings } from '../../lib/observability/runbook.ts';
import { templates } from '../infra/templates.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** The text of each section by the anchor that GitHub derives from its heading. */
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n');
      return [
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
        section,
      ] as const;
    }),
);
const families = [...new Set(Object.keys(logEvents).map((name) => name.split('.')[0]))];
const eventLike = new RegExp(`\`((?:${families.join('|')})(?:\\.[a-z_]+)+)\``, 'g');
const eventsIn = (section: string) => [...section.matchAll(eventLike)].map(([, name = '']) => name);

describe('docs/runbook.md', () => {
  it('has exactly the headings of the catalogue, in its order', () => {
    expect([...sections.keys()]).toEqual([...runbookHeadings]);
  });

  it('names only events of the catalogue', () => {
    const unknown = eventsIn(text).filter((name) => !(name in logEvents));
    // Types of webhook events are named too.
    expect(unknown.filter((name) => !name.startsWith('email.'))).toEqual([]);
  });

  it('names each event in the section that its log lines point to', () => {
    const missing = Object.entries(logEvents).filter(
      ([name, { runbook }]) => !eventsIn(sections.get(runbook) ?? '').includes(name),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.filter((anchor) => !sections.has(anchor))).toEqual([]);
  });

  it('has the heading that each alarm links to, and no alarm without one', () => {
    const alarms = templates().of('AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(20);
    const anchors = alarms.map(({ logicalId, properties }) => {
      const [, anchor = ''] = /docs\/runbook\.md#([\w-]+)$/.exec(properties.AlarmDescription) ?? [];
      return [logicalId, anchor] as const;
    });
    expect(anchors.filter(([, anchor]) => !sections.has(anchor))).toEqual([]);
    const linked = new Set(anchors.map(([, anchor]) => anchor));
    const fromEvents = new Set<string>(Object.values(logEvents).map(({ runbook }) => runbook));
    expect([...sections.keys()].filter((anchor) => !linked.has(anchor) && !fromEvents.has(anchor))).toEqual(
      [],
    );
  });
});
