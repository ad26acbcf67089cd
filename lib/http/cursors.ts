/** Cursors: positions in a list that only the list, filters and workspace they were made for take back. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../core/problems.ts';

/** What a cursor is bound to. */
export interface CursorBinding {
  /** The workspace's own (`Caller.cursorSecret`), which binds the cursor to the workspace. */
  readonly secret: string;
  /** Id of the operation, e.g. `emails.list`. */
  readonly operation: string;
  /** Everything the request selects by: path and query parameters without `limit` and `cursor`. */
  readonly filters: Readonly<Record<string, unknown>>;
}

const macBytes = 16;

/** @param position whatever JSON the list needs to go on, commonly the last sort key shown */
export function sealCursor(binding: CursorBinding, position: unknown): string {
  const plain = Buffer.from(JSON.stringify(position));
  return Buffer.concat([mac(binding, plain), plain]).toString('base64url');
}

/**
 * The position that `sealCursor` was given.
 *
 * @throws Problem invalid_cursor where the cursor is malformed, altered, or of another list, filter or workspace
 */
export function openCursor(binding: CursorBinding, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  const plain = bytes.subarray(macBytes);
  const genuine =
    // Decoding is lenient: only the one canonical spelling is a cursor of ours.
    bytes.toString('base64url') === cursor &&
    plain.length > 0 &&
    timingSafeEqual(bytes.subarray(0, macBytes), mac(binding, plain));
  if (!genuine)
    throw new Problem('invalid_cursor', 'This cursor was not issued for this list and these filters.');
  return JSON.parse(plain.toString());
}

function mac({ secret, operation, filters }: CursorBinding, plain: Buffer): Buffer {
  const bound = JSON.stringify([operation, Object.entries(filters).filter(isGiven).sort(byName)]);
  return createHmac('sha256', secret).update(`${bound}\n`).update(plain).digest().subarray(0, macBytes);
}

const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined;
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
