/** The tree of held emails in the table (docs/decisions/0048-pacing.md#the-tree). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import {
  entryKey,
  laterPrefix,
  type NodeEntry,
  type NodeId,
  readyPrefix,
  rootNode,
  type ScopeState,
} from '../../core/pacing/held.ts';
import type { Constraint } from '../../core/pacing/rule.ts';
import type { HandOffs, Slots } from '../../core/pacing/slots.ts';
import type { TreeChanges, TreeStore } from '../../core/pacing/tree-store.ts';
import {
  codec,
  type Field,
  flag,
  id,
  nullable,
  number,
  object,
  secondsAsMs,
  sparseFlag,
  sparseList,
  text,
} from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { query, removeAll } from '../table/table.ts';
import { ConditionFailed, commit, type Write } from '../table/transactions.ts';
import { dropHeld, findHeld, releaseHeld, removeInboxEntry } from './held-emails.ts';
import { saveSorted } from './pacer-states.ts';
import { messageField, positionField } from './pacing-fields.ts';

const constraintField = object<Constraint>({ ruleId: id('pace'), value: text });

const entryFields = {
  node: text,
  dueAt: nullable(number),
  position: positionField,
  child: nullable(text),
  email: nullable(
    object<NonNullable<NodeEntry['email']>>({
      emailId: id('eml'),
      isCounted: flag,
      message: messageField,
      home: text,
    }),
  ),
  constraints: sparseList(constraintField),
};
const entryCodec = codec<NodeEntry>('pacing tree', entryFields);
const linkCodec = codec<{ readonly entry: NodeEntry }>('pacing node', { entry: object(entryFields) });

/** As text, since a map takes several times as much: `<from>.<until>.<count>` in base 36, each `from` after the one before it. */
const handOffsField: Field<readonly HandOffs[]> = {
  read(stored) {
    let before = 0;
    return text
      .read(stored)
      .split(',')
      .filter((part) => part !== '')
      .map((part) => {
        const [from = 0, until = 0, count = 0] = part.split('.').map((field) => Number.parseInt(field, 36));
        before += from;
        return { from: before, at: before + until, count };
      });
  },
  write(handOffs) {
    let before = 0;
    const parts = handOffs.map(({ from, at, count }) => {
      const part = [from - before, at - from, count].map((field) => Math.round(field).toString(36)).join('.');
      before = from;
      return part;
    });
    return parts.join(',');
  },
};

const scopeCodec = codec<ScopeState & { readonly expiresAt: number }>('pacing scope', {
  slots: nullable(
    object<Slots>({
      amount: number,
      perSeconds: number,
      spread: number,
      since: number,
      cycleAt: number,
      index: number,
      isAwaited: sparseFlag,
      handOffs: handOffsField,
    }),
  ),
  waiting: number,
  treeVersion: number,
  expiresAt: secondsAsMs,
});

/** No window is longer than 31 days; a scope value of which nothing has left for as long begins anew. */
const scopeDaysMax = 40;

/** The states of scope values; null where nothing has left or waits. */
export async function findScopes(
  workspaceId: WorkspaceId,
  constraints: readonly Constraint[],
): Promise<(ScopeState | null)[]> {
  const items = await getMany(constraints.map((one) => keys.pacingScopeKey(workspaceId, one)));
  return items.map((item) => item && scopeCodec.decode(item));
}

/** A tree as the worker with the lease has it. @param version of the rules, hence of the tree */
export function treeStore(workspaceId: WorkspaceId, version: number, token: string): TreeStore {
  const nodeOf = (id: NodeId) => keys.pacingNode(workspaceId, version, id);
  return {
    async listEntries(node, state, limit) {
      const { items, next } = await query({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': nodeOf(node),
          ':prefix': state === 'ready' ? readyPrefix : laterPrefix,
        },
        Limit: limit,
      });
      return { entries: items.map((item) => entryCodec.decode(item)), isAll: next === null };
    },
    async findEntryOf(node) {
      const item = await get(keys.pacingNodeKey(workspaceId, version, node));
      return item && linkCodec.decode(item).entry;
    },
    findScopes: (constraints) => findScopes(workspaceId, constraints),
    async commit(changes) {
      const state = saveSorted(workspaceId, token, changes);
      try {
        await commit(workspaceId, [state, ...writesOf(workspaceId, version, changes)], changes.messages);
        return 'done';
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.write === state.as) return 'lost';
        const found = await findHeld(workspaceId, changes.released);
        return changes.released.filter((_, at) => found[at] === null);
      }
    },
  };
}

function writesOf(workspaceId: WorkspaceId, version: number, changes: TreeChanges): Write[] {
  const expiresAt = now() + scopeDaysMax * 86_400_000;
  return [
    ...changes.released.map((position) => releaseHeld(workspaceId, position)),
    ...changes.dropped.map((position) => dropHeld(workspaceId, position)),
    ...changes.received.map((key) => removeInboxEntry(workspaceId, key)),
    ...changes.scopes.map(({ constraint, state }) => ({
      as: 'scope',
      put: {
        ...keys.pacingScopeKey(workspaceId, constraint),
        ...scopeCodec.encode({ ...state, expiresAt }),
      },
    })),
    ...changes.entries.map(({ entry, isPresent }): Write => {
      const key = { pk: keys.pacingNode(workspaceId, version, entry.node), sk: entryKey(entry) };
      return isPresent
        ? { as: 'entry', put: { ...key, ...entryCodec.encode(entry) } }
        : { as: 'entry', delete: key };
    }),
    ...changes.links.map(({ node, entry }): Write => {
      const key = keys.pacingNodeKey(workspaceId, version, node);
      return entry
        ? { as: 'node', put: { ...key, ...linkCodec.encode({ entry }) } }
        : { as: 'node', delete: key };
    }),
  ];
}

/** Entries that one call removes, about. */
const removedAtOnce = 500;

/** Removes a part of a tree, from its leaves. True where nothing is left of it. */
export async function removeTree(workspaceId: WorkspaceId, version: number): Promise<boolean> {
  let budget = removedAtOnce;
  async function removeNode(id: NodeId): Promise<boolean> {
    const { items, next } = await query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.pacingNode(workspaceId, version, id) },
      Limit: 100,
    });
    for (const item of items) {
      const child = item.child === undefined ? null : text.read(item.child);
      if (child !== null && !(await removeNode(child))) return false;
    }
    await removeAll(items);
    budget -= items.length;
    if (next === null) return true;
    return budget > 0 ? await removeNode(id) : false;
  }
  return await removeNode(rootNode);
}
