/** Entries of what is in a space in GSI1 (docs/decisions/0058-no-index-entry-outside-of-spaces.md). */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';

interface SpaceIndexPlace {
  readonly g1pk: string;
  readonly g1sk: string;
}

/**
 * The place of an item in GSI1, in the partition of its space; none outside of spaces, where most mail is.
 *
 * @param partitionOf builds the partition key of a space
 * @param sort the sort key
 */
export function placeInSpace(
  partitionOf: (workspaceId: WorkspaceId, spaceId: SpaceId) => string,
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  sort: string,
): SpaceIndexPlace | Record<string, never> {
  return spaceId === null ? {} : { g1pk: partitionOf(workspaceId, spaceId), g1sk: sort };
}
