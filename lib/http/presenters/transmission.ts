/** What SES tells of a message: the verdicts on a received one, the Message-IDs of a sent one. In emails and in events. */
import * as z from 'zod';
import { noVerdicts } from '../../core/emails/email.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import { nullableText } from '../schemas.ts';

const verdict = (what: string) => nullableText('PASS', `${what}.`);
export const verdictsSchema = z
  .strictObject({
    spam: verdict('Spam filter'),
    virus: verdict('Virus scanner'),
    spf: verdict('Whether the sending server may use the envelope sender (RFC 7208)'),
    dkim: verdict('Whether a DKIM signature is valid (RFC 6376)'),
    dmarc: verdict("Whether SPF or DKIM proves the author's domain (RFC 7489)"),
    dmarc_policy: nullableText(
      'reject',
      "`none`, `quarantine` or `reject`: what the author's domain asks for where DMARC failed; else null.",
    ),
  })
  .meta({
    id: 'Verdicts',
    description:
      'What the receiving server found out about a message: `PASS`, `FAIL`, `GRAY` or `PROCESSING_FAILED`; null: not checked.',
  });

export const wireMessageIdsSchema = z.array(z.string()).meta({
  examples: [['<0100019c1430b8-00000000-0000-0000-0000-000000000000-000000@email.amazonses.com>']],
  description:
    'The Message-ID headers that Amazon SES wrote: one for each submission, empty before the first.',
});

/** Emails stored before `virus` and `dmarc_policy` were recorded lack them. */
export function presentVerdicts(verdicts: Partial<Verdicts>): z.input<typeof verdictsSchema> {
  const { spam, virus, spf, dkim, dmarc, dmarcPolicy } = { ...noVerdicts, ...verdicts };
  return { spam, virus, spf, dkim, dmarc, dmarc_policy: dmarcPolicy };
}
