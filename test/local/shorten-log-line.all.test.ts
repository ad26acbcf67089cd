import { describe, expect, it } from 'vitest';
import { describeError } from '../../lib/observability/log.ts';
import { shortenLogLine } from '../support/shorten-log-line.ts';

describe('shortenLogLine', () => {
  it('keeps the message of every error and the stack of the innermost one when errors have causes', () => {
    const denied = new Error('User: a role is not authorized to perform: dynamodb:Query');
    const error = new Error('internal', { cause: new Error('read failed', { cause: denied }) });
    const line = JSON.stringify({ level: 'ERROR', error: describeError(error) });
    const cause = { name: 'Error', message: denied.message, stack: denied.stack };
    expect(JSON.parse(shortenLogLine(line))).toEqual({
      level: 'ERROR',
      error: { name: 'Error', message: 'internal', cause: { name: 'Error', message: 'read failed', cause } },
    });
  });

  it('returns a line as it is when it is no JSON', () => {
    expect(shortenLogLine('Task timed out after 6.00 seconds')).toBe('Task timed out after 6.00 seconds');
  });
});
