/** For how long workspaces keep mail, in the list of workspaces: the sweep reads it for all of them. */
import type { WorkspaceId } from '../../core/ids.ts';
import { codec, id, nullable, number, sortKey } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { expiryKey, workspaceListing, workspaceListKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { queryAll, updateIf } from '../table/table.ts';

interface Retention {
  readonly id: WorkspaceId;
  /** 0: forever; null: as the deployment says. */
  readonly mailDays: number | null;
}

const retentionCodec = codec<Retention & { readonly erasedAt: number | null }>('workspace', {
  id: sortKey(id('wks')),
  mailDays: nullable(number),
  erasedAt: nullable(number),
});

/** Takes an hour, of which old mail is deleted once. False where it, or a later one, was taken. @param hour its number since 1970 */
export async function takeHour(hour: number): Promise<boolean> {
  const taken = await updateIf(expiryKey, {
    UpdateExpression: 'SET #hour = :hour',
    ConditionExpression: 'attribute_not_exists(#hour) OR #hour < :hour',
    ExpressionAttributeNames: { '#hour': 'hour' },
    ExpressionAttributeValues: { ':hour': hour },
  });
  return taken !== null;
}

/** Those of all workspaces that are in use. */
export async function listRetentions(): Promise<Retention[]> {
  const items = await queryAll(workspaceListing);
  return items.map(retentionCodec.decode).filter(({ erasedAt }) => erasedAt === null);
}

/** That of a workspace, null also where it is gone. */
export async function findMailDays(workspaceId: WorkspaceId): Promise<number | null> {
  const item = await get(workspaceListKey(workspaceId));
  return item && retentionCodec.decode(item).mailDays;
}

/** Sets it. False where the workspace is gone. */
export async function setMailDays(workspaceId: WorkspaceId, mailDays: number | null): Promise<boolean> {
  const change = mailDays === null ? { remove: ['mailDays'] } : { set: { mailDays } };
  return (await updateIf(workspaceListKey(workspaceId), expressionsOf(change, { exists: true }))) !== null;
}
