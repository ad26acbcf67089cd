/** The ports of the pacer on a table in memory, through calls that take time and may fail. */
import { arrivalKey } from '../../lib/core/pacing/held.ts';
import { pacerTimes } from '../../lib/core/pacing/pacer.ts';
import type { TreeChanges } from '../../lib/core/pacing/tree-store.ts';
import { memoryStore } from '../../lib/services/pacing/memory-store.ts';
import type { PacerPorts } from '../../lib/services/pacing/pacer-ports.ts';
import { type Call, memoryJobStore } from '../jobs/memory-job.ts';
import { changeState, commitChanges, listHeld, listInbox, type MemoryTable, treeOf } from './memory-table.ts';

export interface PortsOptions {
  readonly table: MemoryTable;
  readonly call: Call;
  /** The time as the pacer sees it; Unix milliseconds. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** Sends the pacer the message of a timer at its time. */
  schedule(timer: number): void;
}

export function memoryPorts(options: PortsOptions): PacerPorts {
  const { table, call, now } = options;
  return {
    job: memoryJobStore({
      job: table,
      leaseMs: pacerTimes.leaseMs,
      call,
      now,
      schedule: options.schedule,
      onWrite: (items) => {
        table.counts.writes += items;
      },
    }),
    now,
    pause: options.pause,
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
