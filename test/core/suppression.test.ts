import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../lib/core/email.ts';
import { composeId } from '../../lib/core/ids.ts';
import { blocks, listsToCheck, suppressionReasonOf } from '../../lib/core/suppression.ts';

const space = composeId('spc', 1, new Uint8Array(10));

describe('a send', () => {
  it('is checked against its key and *, in its space and in the workspace', () => {
    expect(listsToCheck({ spaceId: space, key: 'news', isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
      { spaceId: null, key: 'news' },
      { spaceId: space, key: '*' },
      { spaceId: space, key: 'news' },
    ]);
  });

  it('is checked once where key or space say nothing new', () => {
    expect(listsToCheck({ spaceId: null, key: null, isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
    ]);
    expect(listsToCheck({ spaceId: null, key: '*', isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
    ]);
  });

  it('is blocked by scope optional only where it is optional', () => {
    expect(blocks('all', { isOptional: false })).toBe(true);
    expect(blocks('all', { isOptional: true })).toBe(true);
    expect(blocks('optional', { isOptional: true })).toBe(true);
    expect(blocks('optional', { isOptional: false })).toBe(false);
  });
});

describe('a report', () => {
  const entry = (given: Partial<HistoryEntry>): HistoryEntry => ({
    type: 'delivered',
    at: 1,
    recipients: ['a@example.com'],
    detail: null,
    ...given,
  });

  it('suppresses for hard bounces and complaints', () => {
    expect(suppressionReasonOf(entry({ type: 'bounced', permanent: true }))).toBe('bounce');
    expect(suppressionReasonOf(entry({ type: 'complained', detail: 'abuse' }))).toBe('complaint');
    expect(suppressionReasonOf(entry({ type: 'complained' }))).toBe('complaint');
  });

  it('suppresses for nothing else', () => {
    expect(suppressionReasonOf(entry({ type: 'bounced', permanent: false }))).toBeNull();
    expect(suppressionReasonOf(entry({ type: 'bounced' }))).toBeNull();
    expect(suppressionReasonOf(entry({ type: 'complained', detail: 'not-spam' }))).toBeNull();
    for (const type of ['sent', 'delivered', 'delayed', 'rejected', 'failed'] as const) {
      expect(suppressionReasonOf(entry({ type }))).toBeNull();
    }
  });
});
