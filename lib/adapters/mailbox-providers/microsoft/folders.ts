/** The folders of a Microsoft mailbox that decide what a message is ("mailFolder resource type", well-known folder names). */
import * as z from 'zod';
import { parsedAnswer } from '../parsed-answer.ts';

const leftOut = ['junkemail', 'deleteditems', 'drafts', 'outbox'] as const;
type Kind = (typeof leftOut)[number] | 'sentitems' | 'other';

const folderFields = z.object({ id: z.string() });

/** Reads a well-known folder; null: the mailbox has none. */
type ReadFolder = (name: string) => Promise<unknown>;

/**
 * What is known of folders, by id. A folder's id is of one mailbox only, and never changes its meaning. Oldest entries are
 * dropped.
 */
const known = new Map<string, Kind>();
const knownMax = 10_000;

/** Junk, deleted items, drafts, and mail that is being sent. */
export async function isLeftOut(read: ReadFolder, folderId: string): Promise<boolean> {
  const kind = await kindOf(read, folderId);
  return leftOut.some((one) => one === kind);
}

/** Sent Items: mail that the owner of the mailbox sent, from wherever. */
export async function isSentItems(read: ReadFolder, folderId: string): Promise<boolean> {
  return (await kindOf(read, folderId)) === 'sentitems';
}

async function kindOf(read: ReadFolder, folderId: string): Promise<Kind> {
  const before = known.get(folderId);
  if (before) return before;
  const names = [...leftOut, 'sentitems'] as const;
  const ids = await Promise.all(
    names.map(async (name) => {
      const answer = await read(name);
      return answer === null ? null : parsedAnswer('Microsoft', folderFields, answer).id;
    }),
  );
  const kind: Kind = names[ids.indexOf(folderId)] ?? 'other';
  known.set(folderId, kind);
  for (const oldest of known.keys()) {
    if (known.size <= knownMax) break;
    known.delete(oldest);
  }
  return kind;
}
