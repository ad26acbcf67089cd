/** What a workspace does with received mail that fails a check of SES (docs/concepts/reading-mail.md#verdicts). */
import type { Verdicts } from '../../mail/message/verdicts.ts';

export const inboundActions = ['accept', 'mark', 'drop'] as const;
/**
 * `accept` treats the mail like any other, but what failed DMARC is no source of default recipients either way. `mark` stores it as
 * suspicious: it joins threads only by Message-ID and is no source of default recipients. `drop` does not store it.
 */
export type InboundAction = (typeof inboundActions)[number];

export const policyVerdicts = ['spam', 'virus', 'dmarc'] as const;
export type PolicyVerdict = (typeof policyVerdicts)[number];

/** What a workspace does with mail whose verdict is `FAIL`. */
export type InboundPolicy = Readonly<Record<PolicyVerdict, InboundAction>>;

export const defaultInboundPolicy: InboundPolicy = { spam: 'mark', virus: 'mark', dmarc: 'mark' };

/** Whether a verdict is `FAIL`; `GRAY`, `PROCESSING_FAILED` and `DISABLED` are no failures. */
export const isFailed = (verdict: string | null): boolean => verdict?.toUpperCase() === 'FAIL';

/** What a policy says of a message: the strictest action of the verdicts that failed, and the first verdict with it. */
export function inboundActionOf(
  policy: InboundPolicy,
  verdicts: Pick<Verdicts, PolicyVerdict>,
): { readonly action: InboundAction; readonly verdict: PolicyVerdict | null } {
  const failed = policyVerdicts.filter((verdict) => isFailed(verdicts[verdict]));
  for (const action of ['drop', 'mark'] as const) {
    const verdict = failed.find((name) => policy[name] === action);
    if (verdict) return { action, verdict };
  }
  return { action: 'accept', verdict: null };
}
