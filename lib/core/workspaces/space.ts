/** Spaces: groups of a workspace's domains, mail and rules by customer (docs/concepts/spaces.md). */
import type { SpaceId, WorkspaceId } from '../ids.ts';

export interface Space {
  readonly id: SpaceId;
  readonly name: string;
  /** The client's own id of the customer; unique in the workspace. */
  readonly externalId: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The workspace and space of an arriving message: ids that it cites are looked up there only. */
export interface MailScope {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
}
