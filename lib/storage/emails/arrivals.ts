/**
 * What is stored about a message that arrives in a space. It is a first look only: the conditions of the commit decide
 * (`received.ts`, `message-ids.ts`), and where one of them fails, all of it is read again.
 */
import { ownEmailId } from '../../core/emails/message-ids.ts';
import type { EmailId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { InboundPolicy } from '../../core/receiving/inbound-policy.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import { workspaceKey } from '../table/keys.ts';
import { getMany } from '../table/reads.ts';
import { rulesUseCodec, settingsCodec } from '../workspaces/workspaces.ts';
import { correspondentKeys, type KnownSender, knownSender } from './correspondents.ts';
import { type IndexedId, indexedIds, indexKey } from './message-ids.ts';
import { findReceived } from './received.ts';

/** What identifies a message, and what it cites. */
export interface ArrivingMessage {
  readonly fingerprint: string;
  readonly message: {
    /** As its header has it, or null. */
    readonly messageId: string | null;
    readonly inReplyTo: readonly string[];
    readonly references: readonly string[];
    readonly from: Pick<Address, 'address'> | null;
  };
}

/** What is known when a message arrives. */
export interface ArrivalLookup {
  /** Of the workspace. */
  readonly inboundPolicy: InboundPolicy;
  /** The email that the message has become when it was received before, or null. */
  readonly receivedAs: EmailId | null;
  /** The first email with its Message-ID, or null. */
  readonly emailOfId: EmailId | null;
  /** The known ones among its own Message-ID and those that it cites. */
  readonly messageIds: ReadonlyMap<string, IndexedId>;
  readonly sender: KnownSender;
  /** The workspace has inbound rules, or has had some. */
  readonly usesInboundRules: boolean;
}

/** Looks up a message. Consistent; one round trip, and one more where its Message-ID cannot be its claim. */
export async function lookUpArrival(
  { workspaceId, spaceId }: { readonly workspaceId: WorkspaceId; readonly spaceId: SpaceId | null },
  { fingerprint, message }: ArrivingMessage,
): Promise<ArrivalLookup> {
  const own = message.messageId;
  const ids = [...new Set([...candidateIds(message), ...(own === null ? [] : [own])])];
  const sender = correspondentKeys(workspaceId, spaceId, message.from?.address ?? null);
  const [workspace, ...others] = await getMany([
    workspaceKey(workspaceId),
    ...ids.map((id) => indexKey(workspaceId, spaceId, id)),
    ...sender,
  ]);
  const indexed = others.slice(0, ids.length);
  const [domains, known] = others.slice(ids.length);
  const messageIds = indexedIds(spaceId, ids, indexed);
  const first = own === null ? undefined : messageIds.get(own);
  const emailOfId = first?.emailId ?? null;
  const isOther = emailOfId !== null && first?.fingerprint !== fingerprint;
  const isClaimedApart = own === null || ownEmailId(own) !== null || isOther;
  return {
    inboundPolicy: settingsCodec.decode(workspace ?? {}).inboundPolicy,
    receivedAs: isClaimedApart ? await findReceived(workspaceId, spaceId, fingerprint) : emailOfId,
    emailOfId,
    messageIds,
    sender: knownSender(domains, known, fingerprint),
    usesInboundRules: rulesUseCodec.decode(workspace ?? {}).usesInboundRules,
  };
}
