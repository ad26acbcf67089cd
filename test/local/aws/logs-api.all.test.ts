/** FilterLogEvents of the local cloud: filter patterns and pages, by the documentation of CloudWatch Logs. */
import { describe, expect, it } from 'vitest';
import { logFilter } from '../../../lib/local/aws/log-filter-pattern.ts';
import { createLogsApi } from '../../../lib/local/aws/logs-api.ts';
import type { AwsCall } from '../../../lib/local/aws/service.ts';
import type { LogLine } from '../../../lib/local/logs.ts';
import { namingLines } from '../../../lib/services/trace/invocation-line.ts';

const named = JSON.stringify({ emails: [{ email_id: 'eml_1' }, { email_id: 'eml_2' }] });

describe('a filter pattern', () => {
  it.each([
    ['"eml_2"', named, true],
    ['"EML_2"', named, false],
    ['"a \\"b\\""', 'said a "b" here', true],
    [namingLines, named, true],
    [namingLines, JSON.stringify({ emails: [] }), false],
    [namingLines, JSON.stringify({ emails: 'eml_1' }), false],
    [namingLines, JSON.stringify({ text: named }), false],
    [namingLines, JSON.stringify({ emails: [{ email_id: { eml_1: 'eml_1' } }] }), false],
    [namingLines, `${named} trailing`, false],
    [namingLines, 'null', false],
    ['{ $.emails[1].email_id = "eml_2" }', named, true],
    ['{ $.emails[0].email_id = "*_1" }', named, true],
    ['{ $.emails[0].email_id = "*ml*" }', named, true],
    ['{ $.emails[0].email_id = "eml" }', named, false],
    ['{$.emails[0].email_id="*"}', named, true],
    ['{ $.emails[2].email_id = "*" }', named, false],
  ])('%s on %s: %s', (pattern, line, isMeant) => {
    expect(logFilter(pattern)(line)).toBe(isMeant);
  });

  it.each(['', 'eml_1', '{ $.a > 1 }', '{ $.a > 1 }', '[a, b]', '%x%', '"a" "b"'])(
    'that the local cloud does not know is refused: %j',
    (pattern) => {
      expect(() => logFilter(pattern)).toThrow('does not know the filter pattern');
    },
  );
});

function searchOf(lines: readonly LogLine[]) {
  const api = createLogsApi(() => lines);
  return async (input: object) => {
    const call: AwsCall = {
      ...{ principal: 'local-admin', service: 'logs', region: 'us-east-1', method: 'POST' },
      ...{ path: '/', rawPath: '/', query: new URLSearchParams(), headers: {} },
      body: Buffer.from(JSON.stringify({ logGroupName: '/parley/workers', filterPattern: '"a"', ...input })),
    };
    const { body = '' } = await api.handle(call);
    return JSON.parse(String(body)) as { events: { message: string }[]; nextToken?: string };
  };
}

describe('pages', () => {
  it.each([
    [25_000, 10, 3],
    [3000, 1000, 3],
    [10_000, 10, 1],
    [2, 3_000_000, 2],
    [0, 0, 1],
  ])('of %d lines of %d bytes are %d, and have each line once', async (count, bytes, pages) => {
    const lines = Array.from({ length: count }, (_, at) => ({
      at,
      source: 'parley-worker-relay',
      text: `${at} `.padEnd(bytes, 'a'),
    }));
    const search = searchOf(lines);
    const found: string[] = [];
    let nextToken: string | undefined;
    let asked = 0;
    do {
      const page = await search({ startTime: 0, endTime: count, ...(nextToken && { nextToken }) });
      found.push(...page.events.map(({ message }) => message));
      nextToken = page.nextToken;
      asked += 1;
    } while (nextToken);
    expect(asked).toBe(pages);
    expect(found).toEqual(lines.map(({ text }) => text));
  });

  it('are of one group and time, both ends included', async () => {
    const line = (at: number, source = 'parley-worker-relay') => ({ at, source, text: `a ${source} ${at}` });
    const search = searchOf([line(1), line(2), line(2, 'parley-api-emails-send'), line(3), line(4)]);
    const { events } = await search({ startTime: 2, endTime: 3 });
    expect(events.map(({ message }) => message)).toEqual([
      'a parley-worker-relay 2',
      'a parley-worker-relay 3',
    ]);
  });
});
