/** Whether emails are where the setting `spreadWorkspaces` says. For the operator only: it asks for every workspace. */
import { composeId, type WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { forEachAtOnce } from '../table/batches.ts';
import { emailPartitions } from '../table/keys.ts';
import { query } from '../table/table.ts';
import { listWorkspaces } from './workspaces.ts';

/** The workspaces with emails where no list looks for them: the setting has lost them, or has another time than it had. */
export async function findMisplaced(): Promise<WorkspaceId[]> {
  const found: WorkspaceId[] = [];
  await forEachAtOnce(await listWorkspaces(), async ({ id }) => {
    if (await hasMisplaced(id)) found.push(id);
  });
  return found.sort();
}

async function hasMisplaced(workspaceId: WorkspaceId): Promise<boolean> {
  const from = env().SPREAD_WORKSPACES.get(workspaceId);
  const [older = '', ...newer] = emailPartitions(workspaceId);
  // One that was spread has emails in each of them.
  if (from === undefined) return await isAny(newer[0] ?? '', 'pk = :pk', {});
  const bound = { ':bound': composeId('eml', from, new Uint8Array(10)) };
  const early = await Promise.all(newer.map((pk) => isAny(pk, 'pk = :pk AND sk < :bound', bound)));
  return early.includes(true) || (await isAny(older, 'pk = :pk AND sk >= :bound', bound));
}

async function isAny(pk: string, condition: string, values: object): Promise<boolean> {
  const { count } = await query({
    Select: 'COUNT',
    KeyConditionExpression: condition,
    ExpressionAttributeValues: { ':pk': pk, ...values },
    Limit: 1,
  });
  return count > 0;
}
