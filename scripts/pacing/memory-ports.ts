/** The ports of the pacer on a table in memory, through calls that take time and may fail. */
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { arrivalKey } from '../../lib/core/pacing/held.ts';
import type { TreeChanges } from '../../lib/core/pacing/tree-changes.ts';
import { memoryStore } from '../../lib/services/pacing/memory-store.ts';
import type { PacerPorts } from '../../lib/services/pacing/pacer-ports.ts';
import {
  acquireLease,
  changeState,
  commitChanges,
  listHeld,
  listInbox,
  type MemoryTable,
  releaseLease,
  treeOf,
} from './memory-table.ts';

/** Carries out an effect as a call with a name. */
export type Call = <T>(name: string, effect: () => T | Promise<T>) => Promise<T>;

export interface PortsOptions {
  readonly table: MemoryTable;
  readonly workspaceId: WorkspaceId;
  readonly call: Call;
  /** The time as the pacer sees it; Unix milliseconds. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** Sends the pacer a message. */
  enqueue(): void;
  /** Sends it one at a time. */
  enqueueAt(atMs: number): void;
}

export function memoryPorts(options: PortsOptions): PacerPorts {
  const { table, call, now } = options;
  return {
    workspaceId: options.workspaceId,
    now,
    pause: options.pause,
    findState: () => call('findState', () => table.state),
    acquireLease: (token) => call('acquireLease', () => acquireLease(table, token, now())),
    askAgain: (token) => call('askAgain', () => changeState(table, token, { again: true })),
    clearAgain: (token) => call('clearAgain', () => changeState(table, token, { again: false })),
    releaseLease: (token, wakeAt, { isHandedOver }) =>
      call('releaseLease', () => releaseLease(table, token, wakeAt, isHandedOver)),
    saveTree: (token, progress) => call('saveTree', () => changeState(table, token, progress)),
    rules: () => call('rules', () => table.rules),
    deletedSpaces: async () => () => false,
    store(version, token) {
      const memory = memoryStore(treeOf(table, version), (changes) =>
        commitChanges(table, version, token, changes, now()),
      );
      return {
        listEntries: (...input) => call('listEntries', () => memory.listEntries(...input)),
        findEntryOf: (node) => call('findEntryOf', () => memory.findEntryOf(node)),
        findScopes: (all) => call('findScopes', () => memory.findScopes(all)),
        commit: (changes) =>
          call('commit', () => {
            if (writesOf(changes) > writesMax)
              throw new Error('the changes are more than a transaction takes');
            return table.state.lease?.token === token
              ? memory.commit(changes)
              : Promise.resolve('lost' as const);
          }),
      };
    },
    listInbox: (limit) => call('listInbox', () => listInbox(table, limit)),
    findArrivals: (positions) =>
      call('findArrivals', () => positions.map((position) => table.inbox.has(arrivalKey(position)))),
    findHeld: (positions) =>
      call('findHeld', () => positions.map((position) => table.held.get(position) ?? null)),
    listHeld: (after, limit) => call('listHeld', () => listHeld(table, after, limit)),
    removeTree: (version) =>
      call('removeTree', () => {
        table.trees.delete(version);
        return true;
      }),
    send: () => call('send', options.enqueue),
    setTimer: (at) =>
      call('setTimer', () => {
        table.wakes.add(at);
        options.enqueueAt(at);
      }),
    removeWake: (at) => call('removeWake', () => void table.wakes.delete(at)),
  };
}

/** "TransactWriteItems" in the Amazon DynamoDB API Reference. */
const writesMax = 100;

/** As `commitTree` makes them: the lease, each change, and the messages. */
function writesOf({ entries, links, scopes, released, dropped, received, messages }: TreeChanges): number {
  const changes = [entries, links, scopes, released, dropped, received].reduce(
    (sum, all) => sum + all.length,
    0,
  );
  return 1 + changes + (messages.length > 0 ? 1 : 0);
}
