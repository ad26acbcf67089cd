/** Workspaces with their settings and secrets. */
import type { WorkspaceId } from '../../core/ids.ts';
import {
  defaultInboundPolicy,
  type InboundPolicy,
  inboundActions,
} from '../../core/receiving/inbound-policy.ts';
import type { Workspace, WorkspaceSettings } from '../../core/workspaces/workspace.ts';
import {
  codec,
  flag,
  id,
  named,
  nullable,
  number,
  object,
  oneOf,
  sortKey,
  text,
  withDefault,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { slugKey, workspaceKey, workspaceListing, workspaceListKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { type Item, type QueryPage, query, queryAll, updateIf } from '../table/table.ts';
import { absent, ConditionFailed, commit, type Write } from '../table/transactions.ts';

/** Secrets that belong to one workspace, as stored: `lib/services/workspaces/signing-secrets.ts` opens them. */
export interface WorkspaceSecrets {
  /** Authenticates cursors. */
  readonly cursorSecret: string;
  /** Signs the links in the workspace's mail. */
  readonly linkSecret: string;
}

type WorkspaceRecord = Omit<Workspace, 'id'>;

const recordFields = {
  slug: text,
  name: text,
  createdAt: number,
  providedDomain: nullable(text),
  erasedAt: nullable(number),
};
const recordCodec = codec<WorkspaceRecord>('workspace', recordFields);
const listedCodec = codec<Workspace>('workspace', { id: sortKey(id('wks')), ...recordFields });
const secretsCodec = codec<WorkspaceSecrets>('workspace', { cursorSecret: text, linkSecret: text });
const action = oneOf(inboundActions);
/** For stores only. */
export const settingsCodec = codec<FoundSettings>('workspace', {
  inboundPolicy: withDefault(
    object<InboundPolicy>({ spam: action, virus: action, dmarc: action }),
    defaultInboundPolicy,
  ),
  eventLog: withDefault(flag, true),
  linkDomain: withDefault(nullable(text), null),
  requireOwnOauthApp: withDefault(flag, false),
  version: named('settingsVersion', withDefault(number, 0)),
});
/** A rule was created, and may be deleted since: an arriving message reads the workspace anyway. For stores only. */
export const rulesUseCodec = codec<{ readonly usesInboundRules: boolean }>('workspace', {
  usesInboundRules: withDefault(flag, false),
});
const linkCodec = codec<Pick<WorkspaceSecrets, 'linkSecret'> & Pick<WorkspaceSettings, 'linkDomain'>>(
  'workspace',
  {
    linkSecret: text,
    linkDomain: withDefault(nullable(text), null),
  },
);
const slugCodec = codec<{ readonly workspaceId: WorkspaceId }>('slug', { workspaceId: id('wks') });

/**
 * Stores a new workspace; nothing is written unless the outcome is `created`.
 *
 * @param providedDomain the writes of its provided domain
 */
export async function createWorkspace(
  { id, ...record }: Workspace,
  secrets: WorkspaceSecrets,
  providedDomain: readonly Write[],
): Promise<'created' | 'slug_taken'> {
  const attributes = recordCodec.encode(record);
  try {
    await commit(id, [
      {
        as: 'workspace',
        put: { ...workspaceKey(id), ...attributes, ...secretsCodec.encode(secrets) },
      },
      {
        as: 'slug',
        put: { ...slugKey(record.slug), ...slugCodec.encode({ workspaceId: id }) },
        ...absent,
      },
      { as: 'list', put: { ...workspaceListKey(id), ...attributes } },
      ...providedDomain,
    ]);
    return 'created';
  } catch (error) {
    if (error instanceof ConditionFailed && error.write === 'slug') return 'slug_taken';
    throw error;
  }
}

/** Settings as they were read; `version` 0: none are stored yet. */
type FoundSettings = WorkspaceSettings & { readonly version: number };

/** The settings of a workspace; the defaults where none are stored. */
export async function findWorkspaceSettings(id: WorkspaceId): Promise<FoundSettings> {
  const item = await get(workspaceKey(id));
  return settingsCodec.decode(item ?? {});
}

/**
 * Stores settings of a workspace. False where there is no such workspace, or its settings were changed since they were
 * read: nothing was written.
 */
export async function updateWorkspaceSettings(
  id: WorkspaceId,
  { version, ...settings }: FoundSettings,
): Promise<boolean> {
  const change = {
    set: settingsCodec.encode({ ...settings, version: version + 1 }),
    remove: settings.linkDomain === null ? ['linkDomain'] : [],
  };
  const unchanged = version === 0 ? { absent: ['settingsVersion'] } : { equal: { settingsVersion: version } };
  return (await updateIf(workspaceKey(id), expressionsOf(change, { exists: true, ...unchanged }))) !== null;
}

/** All workspaces, oldest first: for the operator's command line only. */
export async function listWorkspaces(): Promise<Workspace[]> {
  const items = await queryAll(workspaceListing);
  return items.map(listedCodec.decode);
}

/** The ids of all workspaces, oldest first, a page after the other: for the operator's command line only. */
export async function* pagesOfWorkspaceIds(): AsyncGenerator<readonly WorkspaceId[]> {
  let start: Record<string, unknown> | null = null;
  do {
    const page: QueryPage = await query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': workspaceListing },
      ...(start && { ExclusiveStartKey: start }),
    });
    yield page.items.map((item) => listedCodec.decode(item).id);
    start = page.next;
  } while (start);
}

/** The workspace of a slug, or null. */
export async function findWorkspace(slug: string): Promise<Workspace | null> {
  const claim = await get(slugKey(slug));
  if (!claim) return null;
  const { workspaceId: id } = slugCodec.decode(claim);
  return await findWorkspaceById(id);
}

/** A workspace, or null. */
export async function findWorkspaceById(id: WorkspaceId): Promise<Workspace | null> {
  const item = await get(workspaceKey(id));
  return item && { id, ...recordCodec.decode(item) };
}

/** The secrets of a workspace; null where there is no such workspace, or it is erased. */
export async function findWorkspaceSecrets(id: WorkspaceId): Promise<WorkspaceSecrets | null> {
  const item = await get(workspaceKey(id));
  return isInUse(item) ? secretsCodec.decode(item) : null;
}

function isInUse(item: Item | null): item is Item {
  return item !== null && recordCodec.decode(item).erasedAt === null;
}

/** What the links in a workspace's mail are made of; null where there is no such workspace, or it is erased. */
export async function findLinkTerms(
  id: WorkspaceId,
): Promise<{ readonly linkSecret: string; readonly linkDomain: string | null } | null> {
  const item = await get(workspaceKey(id));
  return isInUse(item) ? linkCodec.decode(item) : null;
}
