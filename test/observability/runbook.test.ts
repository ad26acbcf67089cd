import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../bin/admin/program.ts';
import { deploymentOptions } from '../../bin/operator/deployment-options.ts';
import { operations } from '../../functions/operations.ts';
import { logEvents } from '../../lib/observability/log-events.ts';
import { runbookHeadings, symptomHeadings } from '../../lib/observability/runbook.ts';
import { templates } from '../infra/templates.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/runbook.md'), 'utf8');

const catalogue = readFileSync(join(root, 'lib/observability/log-events.ts'), 'utf8');

/** The text of each section of a part by the anchor that GitHub derives from its heading. */
function sectionsOf(part: string): ReadonlyMap<string, string> {
  const [, ...found] = part.split(/^## /m);
  return new Map(
    found.map((section) => {
      const [heading = ''] = section.split('\n');
      const anchor = heading.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '');
      return [anchor.replaceAll(' ', '-'), section] as const;
    }),
  );
}

const [symptomText = '', alarmText = ''] = text.split('\n# Alarms and log events\n');
const symptoms = sectionsOf(symptomText);
const sections = sectionsOf(alarmText);

const families = [...new Set(Object.keys(logEvents).map((name) => name.split('.')[0]))];
const eventLike = new RegExp(`\`((?:${families.join('|')})(?:\\.[a-z_]+)+)\``, 'g');
/** `filter …` queries for CloudWatch Logs Insights. */
const queries = [...text.matchAll(/`(?:filter ([^`]+)|(type = [^`]+))`/g)].map(
  ([, one, other]) => one ?? other ?? '',
);
/** Fields of our lines by the type that they have in the catalogue, and those of every line. */
const fields = new Set([
  ...[...catalogue.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name = '']) => name),
  ...['event', 'type', 'record.status', 'workspaces'],
]);
const eventsIn = (section: string) => [...section.matchAll(eventLike)].map(([, name = '']) => name);

describe('docs/runbook.md', () => {
  it('has exactly the headings of the catalogue, in its order', () => {
    expect([...sections.keys()]).toEqual([...runbookHeadings]);
  });

  it('has the symptoms that customers report, each with a command, a request or a query', () => {
    expect([...symptoms.keys()]).toEqual(symptomHeadings);
    const step = /`(?:filter |GET \/|npm run (?:admin|doctor) )/;
    expect([...symptoms].filter(([, section]) => !step.test(section)).map(([anchor]) => anchor)).toEqual([]);
  });

  it('has queries for events and fields of the catalogue only', () => {
    expect(queries.length).toBeGreaterThan(10);
    const events = queries.flatMap((query) =>
      [...query.matchAll(/event = "([^"]+)"/g)].map(([, name = '']) => name),
    );
    expect(events.filter((name) => !(name in logEvents))).toEqual([]);
    const used = queries.flatMap((query) =>
      [...query.matchAll(/([\w.]+)(?: (?:=|!=|like) |\))/g)].map(([, name = '']) => name),
    );
    expect(used.filter((name) => !fields.has(name) && !/^Emails/.test(name))).toEqual([]);
  });

  it('has commands that exist, with their options', () => {
    const lines = [...text.matchAll(/`npm run admin -- ([^`]+)`/g)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(10);
    const wrong = lines.filter((line) => {
      const [words = '', ...options] = line.split(' --');
      // `trace eml_…` has its id in the place of a verb.
      const command = commands[words] ?? commands[words.replace(/ (eml|evt)_…$/, '')];
      const known = { ...command?.options, ...deploymentOptions };
      return !command || options.some((option) => !((option.split(' ')[0] ?? '') in known));
    });
    expect(wrong).toEqual([]);
  });

  it('names requests that exist', () => {
    const requests = [...text.matchAll(/`(GET|POST|PATCH|DELETE) (\/[^`?]*)/g)].map(
      ([, method = '', path = '']) => `${method} /api/v2${path}`,
    );
    const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((request) => !known.has(request))).toEqual([]);
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
    expect(links.filter((anchor) => !sections.has(anchor) && !symptoms.has(anchor))).toEqual([]);
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
