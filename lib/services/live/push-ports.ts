/** What the push of events to live connections reads and writes; tests have an implementation in memory. */
import type { Posted } from '../../adapters/connections.ts';
import type { EventId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { LiveConnection, Progress } from '../../core/live/connection.ts';
import type { Page } from '../../core/page.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';

export interface PushPorts {
  now(): number;
  listConnections(workspaceId: WorkspaceId): Promise<readonly LiveConnection[]>;
  hasAccess(workspaceId: WorkspaceId, connection: LiveConnection): Promise<boolean>;
  findEvents(workspaceId: WorkspaceId, ids: readonly EventId[]): Promise<ReadonlyMap<EventId, StoredEvent>>;
  /** Events after a position, oldest first. `next` is the last position that was read; null: the log is at its end. */
  readLog(workspaceId: WorkspaceId, after: EventId, limit: number): Promise<Page<StoredEvent>>;
  labelsOf(
    workspaceId: WorkspaceId,
    ids: readonly ThreadId[],
  ): Promise<ReadonlyMap<ThreadId, readonly string[]>>;
  post(connectionId: string, text: string): Promise<Posted>;
  end(connectionId: string): Promise<void>;
  save(
    workspaceId: WorkspaceId,
    connection: LiveConnection,
    progress: Progress,
    messages: readonly OutboxMessage[],
  ): Promise<boolean>;
  remove(workspaceId: WorkspaceId, ids: readonly string[]): Promise<void>;
}
