import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../lib/core/emails/email.ts';
import { composeId } from '../../../lib/core/ids.ts';
import {
  blocks,
  listsToCheck,
  suppressedText,
  suppressionReasonOf,
} from '../../../lib/core/suppressions/suppression.ts';

const space = composeId('spc', 1, new Uint8Array(10));

describe('listsToCheck', () => {
  it('names the key of the send and *, in its space and in the workspace', () => {
    expect(listsToCheck({ spaceId: space, key: 'news', isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
      { spaceId: null, key: 'news' },
      { spaceId: space, key: '*' },
      { spaceId: space, key: 'news' },
    ]);
  });

  it('names each list once when the send has no key, no space, or the key *', () => {
    expect(listsToCheck({ spaceId: null, key: null, isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
    ]);
    expect(listsToCheck({ spaceId: null, key: '*', isOptional: false })).toEqual([
      { spaceId: null, key: '*' },
    ]);
  });
});

describe('blocks', () => {
  it('is true for the scope optional only when the send is optional', () => {
    expect(blocks('all', { isOptional: false })).toBe(true);
    expect(blocks('all', { isOptional: true })).toBe(true);
    expect(blocks('optional', { isOptional: true })).toBe(true);
    expect(blocks('optional', { isOptional: false })).toBe(false);
  });
});

describe('suppressedText', () => {
  const on = (address: string, key = '*') => ({
    id: composeId('sup', 1, new Uint8Array(10)),
    address,
    key,
  });

  it('names each address once, with its lists', () => {
    expect(suppressedText([on('a@example.test'), on('b@example.test', 'news'), on('a@example.test')])).toBe(
      'a@example.test by list `*`, b@example.test by list `news`',
    );
    expect(suppressedText([on('a@example.test'), on('a@example.test', 'news')])).toBe(
      'a@example.test by lists `*` and `news`',
    );
  });

  it('names ten addresses and counts the others when there are more', () => {
    const many = Array.from({ length: 12 }, (_, n) => on(`${n}@example.test`));
    const text = suppressedText(many);
    expect(text).toContain('9@example.test by list `*`, and 2 more');
    expect(text).not.toContain('10@');
  });
});

describe('suppressionReasonOf', () => {
  const entry = (given: Partial<HistoryEntry>): HistoryEntry => ({
    type: 'delivered',
    at: 1,
    recipients: ['a@example.com'],
    detail: null,
    ...given,
  });

  it('is the reason of hard bounces and complaints', () => {
    expect(suppressionReasonOf(entry({ type: 'bounced', permanent: true }))).toBe('bounce');
    expect(suppressionReasonOf(entry({ type: 'complained', detail: 'abuse' }))).toBe('complaint');
    expect(suppressionReasonOf(entry({ type: 'complained' }))).toBe('complaint');
  });

  it('is null for every other entry', () => {
    expect(suppressionReasonOf(entry({ type: 'bounced', permanent: false }))).toBeNull();
    expect(suppressionReasonOf(entry({ type: 'bounced' }))).toBeNull();
    expect(suppressionReasonOf(entry({ type: 'complained', detail: 'not-spam' }))).toBeNull();
    for (const type of ['sent', 'delivered', 'delayed', 'rejected', 'failed'] as const) {
      expect(suppressionReasonOf(entry({ type }))).toBeNull();
    }
  });
});
