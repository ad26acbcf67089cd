import { describe, expect, it } from 'vitest';
import { leastMessageBytes, messageBytesMax } from '../../../lib/core/mailboxes/message-size.ts';
import { composeMessage } from '../../../lib/mail/writing/compose.ts';

const compose = (given: {
  text: string;
  html: string | null;
  sizes: readonly number[];
  contentType: string;
}) =>
  composeMessage({
    from: { name: null, address: 'anna@acme.test' },
    to: [{ name: null, address: 'ben@acme.test' }],
    cc: [],
    replyTo: [],
    subject: 'Files',
    text: given.text,
    html: given.html,
    messageId: '<a@acme.test>',
    inReplyTo: null,
    references: [],
    date: 0,
    headers: [],
    attachments: given.sizes.map((size) => ({
      filename: 'a.txt',
      contentType: given.contentType,
      content: Buffer.from('From: x\r\n\r\n'.repeat(size)).subarray(0, size),
      cid: null,
    })),
  });

describe('leastMessageBytes', () => {
  it.each([
    { text: 'Hi', html: null, sizes: [], contentType: 'text/plain' },
    { text: 'Hi', html: '<p>Hi</p>', sizes: [1, 2, 3, 56, 57, 58, 100_000], contentType: 'text/plain' },
    { text: 'ä'.repeat(5000), html: 'ж'.repeat(5000), sizes: [7], contentType: 'text/plain' },
    { text: 'x'.repeat(5000), html: null, sizes: [10_000], contentType: 'message/rfc822' },
  ])('is just below the size of the composed message for %j', async (given) => {
    const { length } = await compose(given);
    const files = given.sizes.map((size) => ({ size, contentType: given.contentType }));
    const least = leastMessageBytes({ ...given, files });
    expect(least).toBeLessThanOrEqual(length);
    if (!/[^ -~]/.test(given.text)) expect(length - least).toBeLessThan(1000 + 300 * files.length);
  });

  it('tells the largest file of a message of Microsoft', () => {
    const bytesWith = (size: number) =>
      leastMessageBytes({ text: 'Hi', html: null, files: [{ size, contentType: 'application/pdf' }] });
    expect(bytesWith(2_290_000)).toBeLessThan(messageBytesMax.microsoft);
    expect(bytesWith(2_300_000)).toBeGreaterThan(messageBytesMax.microsoft);
  });
});
