import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { matchesLogPattern } from '../../lib/local/cloudwatch/log-filter-patterns.ts';
import { eventPattern, failurePattern } from '../../lib/observability/filter-pattern.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { type FieldsOf, type LogEventName, logEvents } from '../../lib/observability/log-events.ts';
import { captureLog } from '../support/log-lines.ts';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(logEvents) as LogEventName[];
const blocked = { cause: 'account', region: 'eu-central-1', email_id: 'eml_1', chunk: 0, reason: 'Paused' };

describe('logEvent', () => {
  it('writes one line with time, level, name, fields and runbook heading', () => {
    const lines = captureLog();
    logEvent('submission.blocked', blocked);
    expect(lines).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: 'WARN',
        event: 'submission.blocked',
        ...blocked,
        runbook: 'submissions-blocked',
      },
    ]);
  });

  it('takes exactly the fields of the event', () => {
    expectTypeOf<FieldsOf<'inbound.dropped.mail_loop'>>().toEqualTypeOf<{
      readonly ses_id: string;
      readonly hops: number;
    }>();
  });
});

describe('describeError', () => {
  it('keeps name, message, stack and causes, and no other property', () => {
    const cause = Object.assign(new TypeError('inner'), { item: 'private' });
    const error = Object.assign(new Error('outer', { cause }), { body: 'private' });
    const logged = describeError(error);
    expect(logged).toEqual({
      name: 'Error',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    });
    expect(JSON.stringify(logged)).not.toContain('private');
  });

  it('ends a chain of causes that never ends', () => {
    const error = new Error('again');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/again/g)?.length).toBeLessThan(20);
  });

  it('shows nothing of a thrown value that is not an Error', () => {
    expect(describeError('secret')).toEqual({ name: 'string', message: 'thrown value is not an Error' });
  });
});

describe('the log event catalogue', () => {
  it('has dotted names in lower case', () => {
    expect(names.filter((name) => !/^[a-z]+(\.[a-z_]+)+$/.test(name))).toEqual([]);
  });

  it('has only events that the code logs', () => {
    const code = globSync('{functions,lib}/**/*.ts', { cwd: root })
      .filter((file) => !/^lib\/(observability|local|stacks)\//.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    expect(names.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });
});

describe('eventPattern', () => {
  it('matches the lines of its event and no others', () => {
    const lines = captureLog();
    logEvent('submission.blocked', blocked);
    logEvent('submission.throttled', { ...blocked, cause: 'sending_rate' });
    const matching = lines.map((line) =>
      matchesLogPattern(eventPattern('submission.blocked'), JSON.stringify(line)),
    );
    expect(matching).toEqual([true, false]);
  });

  it('matches only the given values of a field', () => {
    const lines = captureLog();
    for (const cause of ['sandbox', 'message']) logEvent('submission.refused', { ...blocked, cause });
    const pattern = eventPattern('submission.refused', { cause: 'sandbox' });
    expect(pattern).toBe('{ ($.event = "submission.refused") && ($.cause = "sandbox") }');
    expect(lines.map((line) => matchesLogPattern(pattern, JSON.stringify(line)))).toEqual([true, false]);
  });
});

describe('failurePattern', () => {
  const report = (status: string) => JSON.stringify({ type: 'platform.report', record: { status } });

  it('matches each event of its level', () => {
    const lines = captureLog();
    const error = describeError(new Error('no'));
    logEvent('queue.message_failed', { queue: 'mail', message_id: 'm', receives: 1, error });
    logEvent('submission.blocked', blocked);
    const matching = lines.map((line) => matchesLogPattern(failurePattern('ERROR'), JSON.stringify(line)));
    expect(matching).toEqual([true, false]);
  });

  it.each([
    ['timeout', true],
    ['failure', true],
    ['error', true],
    ['success', false],
  ])('evaluates the report of an invocation with status %s', (status, expected) => {
    expect(matchesLogPattern(failurePattern('ERROR'), report(status))).toBe(expected);
  });
});
