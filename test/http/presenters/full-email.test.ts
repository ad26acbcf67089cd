import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import type { HistoryEntry } from '../../../lib/core/emails/email.ts';
import { bytesInResponse } from '../../../lib/core/emails/response-size.ts';
import { limits } from '../../../lib/core/limits.ts';
import { presentFullEmail } from '../../../lib/http/presenters/full-email.ts';
import { receivedTextBudget } from '../../../lib/mail/text/text-limits.ts';
import type { EmailDetails } from '../../../lib/services/reading/email-details.ts';
import { storedContent, storedHead } from '../../support/stored-mail.ts';

/** A Lambda response is at most 6 MB ("Lambda quotas"). */
const responseBytesMax = 6 * 1024 * 1024;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Four bytes each in a response. */
const quotes = (count: number): string => '"'.repeat(count);

/** An email with as much of everything as can be stored, in the characters that take most bytes. */
function largest(change: Partial<EmailDetails> = {}): EmailDetails {
  const body = quotes(receivedTextBudget.html);
  const history: HistoryEntry[] = many(2000, (at) => ({
    type: 'bounced',
    at,
    recipients: [`${quotes(60)}@example.test`],
    detail: quotes(1000),
  }));
  return {
    email: {
      head: storedHead(),
      content: { ...storedContent(body), html: body, strippedHtml: body },
      history,
      chunks: [],
      extractions: new Map(),
      engagementCount: 1000,
    },
    attachments: many(800, () => ({
      file: { id: newId('att'), filename: quotes(250), contentType: 'text/plain', size: 1, cid: null },
      downloadUrl: `https://bucket.example/${'x'.repeat(1500)}`,
      extraction: null,
    })),
    engagements: many(limits.engagementsShown, (at) => ({
      type: 'click',
      at,
      url: `https://example.test/${'x'.repeat(2000)}`,
      userAgent: quotes(512),
      bot: false,
    })),
    ...change,
  };
}

describe('presentFullEmail', () => {
  it('stays below the limit of a Lambda response when every part is as large as can be', () => {
    expect(bytesInResponse(presentFullEmail(largest()))).toBeLessThan(responseBytesMax);
  });

  it('keeps every attachment and engagement, and the newest history, when it cuts', () => {
    const { attachments, engagements, events } = presentFullEmail(largest());
    expect(attachments).toHaveLength(800);
    expect(engagements).toHaveLength(limits.engagementsShown);
    expect(events.at(-1)?.at).toBe(new Date(1999).toISOString());
    expect(events.length).toBeGreaterThan(100);
  });
});
