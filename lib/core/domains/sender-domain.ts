/** Domains as sending and receiving find them by the host of an address; claims, DKIM keys and SES identities. */
import type { DomainId, SpaceId, WorkspaceId } from '../ids.ts';
import type { SendingDomain } from './sending-domain.ts';

/** A domain of the workspace that covers an address. */
export interface SenderDomain {
  readonly domainId: DomainId;
  readonly spaceId: SpaceId | null;
  readonly region: string;
  /** The name of the SES identity: the domain's own, or the wildcard's. */
  readonly name: string;
  readonly provided: boolean;
  readonly isVerified: boolean;
  /** The last check of a verified domain found its DKIM record. */
  readonly isPublished: boolean;
  readonly tracking: SendingDomain['tracking'];
}

/** A verified domain that receives mail for an address. */
export interface ReceivingDomain extends SenderDomain {
  readonly workspaceId: WorkspaceId;
}

/** The key pair of a domain. The public key is in its DNS record; the private key is sealed under KMS. */
export interface DkimKey {
  readonly selector: string;
  readonly publicKey: string;
  readonly sealedPrivateKey: string;
}

/** The SES identity of a name. It serves every workspace that claims the name and carries the key of one of them. */
export interface SesIdentity {
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  /** SES has verified the identity with this key. */
  readonly ready: boolean;
  /** Why synchronisation has ended without a verified identity; null while it goes on. */
  readonly failure: IdentityFailure | null;
}

/** Findings that are stored with the SES identity; the others come from DNS when they are asked for. */
export const identityFindingIds = ['identity_refused', 'identity_not_verified'] as const;
export type IdentityFindingId = (typeof identityFindingIds)[number];

export interface IdentityFailure {
  readonly id: IdentityFindingId;
  /** One sentence, of SES or ours. */
  readonly detail: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A claim of a workspace on a name. */
export interface DomainClaim {
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  readonly region: string;
  readonly isVerified: boolean;
  readonly isPublished: boolean;
}
