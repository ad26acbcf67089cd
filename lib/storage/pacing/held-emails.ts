/** Held emails, oldest first, and the inbox of the pacer: what acceptance and the API leave to it. */
import type { EmailHead } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { arrivalKey, type HeldEmail, type HeldPosition, heldPosition } from '../../core/pacing/held.ts';
import type { PacedMessage } from '../../core/pacing/rule.ts';
import { codec, flag, id, list, nullable, object, sortKey, sparseList, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { query } from '../table/table.ts';
import { present, type Write } from '../table/transactions.ts';
import { messageField, positionField } from './pacing-fields.ts';

const heldCodec = codec<HeldEmail>('held email', {
  position: sortKey(positionField),
  emailId: id('eml'),
  spaceId: nullable(id('spc')),
  from: text,
  fromName: nullable(text),
  to: list(text),
  shownTo: list(text),
  subject: text,
  isCounted: flag,
  message: messageField,
});

const pacedField = object<PacedMessage>({ spaceId: nullable(id('spc')), from: text, to: list(text) });

interface StoredEntry {
  readonly key: string;
  /** Of an email that is held. */
  readonly position: HeldPosition | null;
  /** What it waits for, as acceptance saw it: the keys of its constraints. */
  readonly waitsFor: readonly string[];
  /** Of an email that left. */
  readonly left: {
    readonly message: PacedMessage;
    readonly wasHeld: boolean;
    readonly isCounted: boolean;
  } | null;
}

const entryCodec = codec<StoredEntry>('pacer inbox', {
  key: sortKey(text),
  position: nullable(positionField),
  waitsFor: sparseList(text),
  left: nullable(object({ message: pacedField, wasHeld: flag, isCounted: flag })),
});

/** The writes that hold an email. @param waitsFor keys of its constraints, for projections until it is in the tree */
export function holdEmail(workspaceId: WorkspaceId, email: HeldEmail, waitsFor: readonly string[]): Write[] {
  const { position } = email;
  const entry = { key: position, position, waitsFor, left: null };
  return [
    { as: 'held', put: { ...keys.heldKey(workspaceId, position), ...heldCodec.encode(email) } },
    {
      as: 'inbox',
      put: { ...keys.inboxKey(workspaceId, arrivalKey(position)), ...entryCodec.encode(entry) },
    },
  ];
}

/** The write that ends the holding of an email, named `held`; its condition fails where it is held no longer. */
export function releaseHeld(workspaceId: WorkspaceId, position: HeldPosition): Write {
  return { as: 'held', delete: keys.heldKey(workspaceId, position), ...present };
}

/** The write that ends the holding of an email, whether or not it is held. */
export function dropHeld(workspaceId: WorkspaceId, position: HeldPosition): Write {
  return { as: 'dropped', delete: keys.heldKey(workspaceId, position) };
}

/** The write that tells the pacer of an email that left by itself. @param position of the email */
export function reportLeft(
  workspaceId: WorkspaceId,
  position: HeldPosition,
  left: NonNullable<StoredEntry['left']>,
): Write {
  const entry = { key: position, position: null, waitsFor: [], left };
  return {
    as: 'left',
    put: { ...keys.inboxKey(workspaceId, `L#${position}`), ...entryCodec.encode(entry) },
  };
}

/** The write that removes an entry of the inbox. */
export function removeInboxEntry(workspaceId: WorkspaceId, key: string): Write {
  return { as: 'received', delete: keys.inboxKey(workspaceId, key) };
}

/** Entries of the inbox: emails that are held first, by age. */
export async function listInbox(workspaceId: WorkspaceId, limit: number): Promise<readonly StoredEntry[]> {
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.pacerInbox(workspaceId) },
    Limit: limit,
  });
  return items.map((item) => entryCodec.decode(item));
}

/** Which of these held emails have an entry in the inbox. */
export async function findArrivals(
  workspaceId: WorkspaceId,
  positions: readonly HeldPosition[],
): Promise<boolean[]> {
  const items = await getMany(positions.map((position) => keys.inboxKey(workspaceId, arrivalKey(position))));
  return items.map((item) => item !== null);
}

/** Whether pacing holds an email. */
export async function isHeld(
  workspaceId: WorkspaceId,
  head: Pick<EmailHead, 'id' | 'createdAt' | 'scheduledAt'>,
): Promise<boolean> {
  return (await get(keys.heldKey(workspaceId, heldPosition(head)))) !== null;
}

/** Held emails at these positions; null where none is. */
export async function findHeld(
  workspaceId: WorkspaceId,
  positions: readonly HeldPosition[],
): Promise<(HeldEmail | null)[]> {
  const items = await getMany(positions.map((position) => keys.heldKey(workspaceId, position)));
  return items.map((item) => item && heldCodec.decode(item));
}

/** Held emails, oldest first. @param after a position; empty: from the oldest */
export async function listHeld(
  workspaceId: WorkspaceId,
  after: HeldPosition | '',
  limit: number,
): Promise<{ readonly items: readonly HeldEmail[]; readonly isAll: boolean }> {
  const items: HeldEmail[] = [];
  let start = after === '' ? null : { ...keys.heldKey(workspaceId, after) };
  do {
    const page = await query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.heldEmails(workspaceId) },
      Limit: limit - items.length,
      ...(start && { ExclusiveStartKey: start }),
    });
    items.push(...page.items.map((item) => heldCodec.decode(item)));
    start = page.next && { pk: String(page.next.pk), sk: String(page.next.sk) };
  } while (start && items.length < limit);
  return { items, isAll: start === null };
}

/** The keys under which an email may be held. */
export function heldKeys(
  workspaceId: WorkspaceId,
  head: Pick<EmailHead, 'id' | 'createdAt' | 'scheduledAt'>,
): keys.Key[] {
  const position = heldPosition(head);
  return [keys.heldKey(workspaceId, position), keys.inboxKey(workspaceId, arrivalKey(position))];
}
