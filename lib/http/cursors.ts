/** Signed list cursors, bound to an operation, its filters and a workspace; see docs/concepts/pagination.md. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../core/problems.ts';

/** The list that a cursor belongs to. */
export interface CursorBinding {
  /** The opened `Caller.cursorSecret`, which differs for each workspace. */
  readonly secret: string;
  /** Id of the operation, e.g. `emails.list`. */
  readonly operation: string;
  /** Path and query parameters without `limit` and `cursor`. */
  readonly filters: Readonly<Record<string, unknown>>;
}

const macBytes = 16;

/**
 * Encodes and signs a list position.
 *
 * @param position any JSON value, usually the sort key of the last item on the page
 */
export function sealCursor(binding: CursorBinding, position: unknown): string {
  const plain = Buffer.from(JSON.stringify(position));
  return Buffer.concat([mac(binding, plain), plain]).toString('base64url');
}

/**
 * Verifies and decodes the position that `sealCursor` was given.
 *
 * @throws Problem invalid_cursor when the cursor is malformed, altered, or of another list, filter or workspace
 */
export function openCursor(binding: CursorBinding, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  const plain = bytes.subarray(macBytes);
  const genuine =
    // Node's decoder accepts several spellings of the same bytes; only the canonical one is valid.
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
