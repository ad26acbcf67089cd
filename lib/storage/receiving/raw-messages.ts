/** Raw messages of received mail: each belongs to one email or blocked email, or to none, and then it expires. */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { copyObject, deleteObject, tagObject } from '../../adapters/objects.ts';
import type { BlockedEmailId, EmailId, WorkspaceId } from '../../core/ids.ts';
import { droppedTag } from '../../core/receiving/raw-mail.ts';
import { env } from '../../env.ts';
import { contentPrefix, rawMessageObject } from '../emails/email-content.ts';
import { findFullEmail } from '../emails/emails.ts';

export type RawMessage = ObjectRef & { readonly region: string };

/** Lets a raw message that belongs to no record expire. Idempotent. */
export async function expireRaw(raw: RawMessage): Promise<void> {
  // Copies are not in the bucket whose rule expires them.
  if (raw.bucket === env().CONTENT_BUCKET) await deleteObject(raw);
  else await tagObject(raw, droppedTag);
}

/** Copies a raw message for an email or blocked email that is not its only owner. */
export async function copyRaw(
  workspaceId: WorkspaceId,
  owner: EmailId | BlockedEmailId,
  raw: RawMessage,
): Promise<RawMessage> {
  const copy = copyOf(workspaceId, owner);
  await copyObject(raw, copy);
  return copy;
}

function copyOf(workspaceId: WorkspaceId, owner: EmailId | BlockedEmailId): RawMessage {
  if (isEmail(owner)) return rawMessageObject(workspaceId, owner);
  const { bucket, key } = contentPrefix(workspaceId);
  return { bucket, key: `${key}b/${owner}/raw.eml`, region: env().HOME_REGION };
}

const isEmail = (owner: EmailId | BlockedEmailId): owner is EmailId => owner.startsWith('eml_');

/** Whether a raw message is that of an email. */
export async function isRawOf(workspaceId: WorkspaceId, id: EmailId, raw: RawMessage): Promise<boolean> {
  const email = await findFullEmail(workspaceId, id);
  return email?.content.raw?.key === raw.key;
}
