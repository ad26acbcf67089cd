/** Findings about a domain that keep it from sending (docs/concepts/domains.md#findings). */
import type { SesIdentity } from './sender-domain.ts';

export const findingIds = ['identity_refused', 'identity_not_verified'] as const;
export type FindingId = (typeof findingIds)[number];

export interface Finding {
  readonly id: FindingId;
  readonly title: string;
  readonly detail: string;
  readonly fix: string;
}

const texts: Readonly<Record<FindingId, Pick<Finding, 'title' | 'fix'>>> = {
  identity_refused: {
    title: 'Amazon SES does not accept the domain.',
    fix: 'Correct what the detail names, then verify the domain again.',
  },
  identity_not_verified: {
    title: 'Amazon SES has not found the DKIM record.',
    fix: 'Check that the DKIM record is the same on all name servers of the domain, then verify the domain again.',
  },
};

/** The finding of an identity that failed; null where there is none. */
export function identityFinding({ failure }: Pick<SesIdentity, 'failure'>): Finding | null {
  return failure && { id: failure.id, detail: failure.detail, ...texts[failure.id] };
}
