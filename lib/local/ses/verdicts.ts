/** The verdicts of SES on received mail. */
import { type HeaderField, valuesOf } from './headers.ts';
import type { IncomingMail } from './incoming-mail.ts';

export type Verdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED' | 'DISABLED';

export interface Verdicts {
  readonly spamVerdict: { readonly status: Verdict };
  readonly virusVerdict: { readonly status: Verdict };
  readonly spfVerdict: { readonly status: Verdict };
  readonly dkimVerdict: { readonly status: Verdict };
  readonly dmarcVerdict: { readonly status: Verdict };
  /** Present when DMARC fails. */
  readonly dmarcPolicy?: string;
}

/** The verdicts; header fields of the message override them: `X-Local-Spam-Verdict: FAIL`, `X-Local-Dmarc-Policy: reject`. */
export function verdictsOf(
  fields: readonly HeaderField[],
  mail: Pick<IncomingMail, 'isAuthenticated'>,
  isScanned: boolean,
): Verdicts {
  const verdict = (check: string, otherwise: Verdict) => {
    const wanted = valuesOf(fields, `x-local-${check}-verdict`)[0]?.toUpperCase();
    return { status: verdicts.find((known) => known === wanted) ?? otherwise };
  };
  const scan = isScanned ? 'PASS' : 'DISABLED';
  const sender = mail.isAuthenticated ? 'PASS' : 'GRAY';
  const dmarcVerdict = verdict('dmarc', sender);
  return {
    spamVerdict: verdict('spam', scan),
    virusVerdict: verdict('virus', scan),
    spfVerdict: verdict('spf', sender),
    dkimVerdict: verdict('dkim', sender),
    dmarcVerdict,
    ...(dmarcVerdict.status === 'FAIL' && {
      dmarcPolicy: valuesOf(fields, 'x-local-dmarc-policy')[0] ?? 'none',
    }),
  };
}

const verdicts: readonly Verdict[] = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'];
