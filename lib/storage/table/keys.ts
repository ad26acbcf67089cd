/**
 * The keys of the single table. docs/table.md lists them with the accesses.
 *
 * A partition key starts with its workspace (`W#<id>`), so that no id from a request reaches another workspace's data.
 * The exceptions are the builders under "Global" below.
 */
import { createHash } from 'node:crypto';
import type { BudgetOwner } from '../../core/access/request-budget.ts';
import type { HistoryEntryId } from '../../core/emails/email.ts';
import {
  type AttachmentId,
  type BlockedEmailId,
  type DeliveryId,
  type DomainId,
  type EmailId,
  type EndpointId,
  type EventId,
  type InboundRuleId,
  idTime,
  type KeyId,
  type MailboxId,
  type MemberId,
  type OauthAppId,
  type PacingRuleId,
  type SpaceId,
  type SuppressionId,
  type ThreadId,
  type WorkspaceId,
} from '../../core/ids.ts';
import type { HeldPosition, NodeId } from '../../core/pacing/held.ts';
import type { Constraint } from '../../core/pacing/rule.ts';
import type { RuleAction, RuleScope } from '../../core/receiving/inbound-rules.ts';
import type { ThreadList } from '../../core/threads/thread.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { env } from '../../env.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** `none` is the workspace itself, as in `?space=none`. */
export type SpaceRef = SpaceId | null;
const spaceTag = (space: SpaceRef): string => space ?? 'none';

/** Unix milliseconds as a part of a sort key. */
const sortableTime = (atMs: number): string => String(atMs).padStart(15, '0');

/** Text of any length and alphabet, such as a Message-ID, as a part of a key. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

// Lists of a workspace that are spread (docs/decisions/0088-spread-workspaces.md)

/** Partitions of such a list. Never changed: an id has its partition by this number. */
export const spreadPartitions = 8;
const spreadPartition = (workspace: WorkspaceId, number: number, list: string): string =>
  `W#${workspace}#SPREAD#${number}#${list}`;

/** All partitions that a list may have: the one of what is older, and the others. */
const everyPartition = (workspace: WorkspaceId, list: string): readonly string[] => [
  `W#${workspace}#${list}`,
  ...Array.from({ length: spreadPartitions }, (_, number) => spreadPartition(workspace, number, list)),
];

/** Those that it has: of a workspace that is not spread, one. */
function partitionsOf(workspace: WorkspaceId, list: string): readonly string[] {
  return everyPartition(workspace, list).slice(0, env().SPREAD_WORKSPACES.has(workspace) ? undefined : 1);
}

/** The place of an id in a list: where its workspace is spread, and it is from the time since when, by its random end. */
function listedKey(workspace: WorkspaceId, list: string, id: EmailId | ThreadId | EventId | DeliveryId): Key {
  const spreadFrom = env().SPREAD_WORKSPACES.get(workspace) ?? Number.POSITIVE_INFINITY;
  const number = Number.parseInt(id.slice(-1), 16) % spreadPartitions;
  return {
    pk: idTime(id) < spreadFrom ? `W#${workspace}#${list}` : spreadPartition(workspace, number, list),
    sk: id,
  };
}

// Global

export const keyHashKey = (hash: string): Key => ({ pk: `KEYHASH#${hash}`, sk: 'KEY' });
/** The slug of an OAuth app, which the URL of its page has. */
export const appSlugKey = (slug: string): Key => ({ pk: `APPSLUG#${slug}`, sk: 'SLUG' });
export const slugKey = (slug: string): Key => ({ pk: `SLUG#${slug}`, sk: 'SLUG' });
export const workspaceListing = 'WORKSPACES';
export const workspaceListKey = (id: WorkspaceId): Key => ({ pk: workspaceListing, sk: id });
/** The last hour in which the workspaces' old mail was asked to be deleted. */
export const expiryKey: Key = { pk: 'EXPIRY', sk: 'EXPIRY' };
/** The claims of all workspaces on a domain name, one item each. */
export const domainClaims = (name: string): string => `DOMAIN#${name}`;
export const domainClaimKey = (name: string, workspace: WorkspaceId): Key => ({
  pk: domainClaims(name),
  sk: workspace,
});
/** The SES identity of a name, with the claim whose DKIM key it has. */
export const identityKey = (region: string, name: string): Key => ({
  pk: `IDENTITY#${region}#${name}`,
  sk: 'IDENTITY',
});

/** The turn of a name in the line of those that are set up at SES. */
export const setupTurnKey = (region: string, name: string): Key => ({
  pk: identityKey(region, name).pk,
  sk: 'TURN',
});
/** That line, of a region. */
export const setupLineKey = (region: string): Key => ({ pk: `SETUP#${region}`, sk: 'LINE' });

/** SES refuses mail of the provided domain in a region, until its records are published. */
export const providedRefusalKey = (region: string): Key => ({ pk: `PROVIDED#${region}`, sk: 'REFUSAL' });

/** The workspaces of a member: a request for sign-in links names none. */
export const memberships = (member: MemberId): string => `MEMBEROF#${member}`;
export const membershipKey = (member: MemberId, workspace: WorkspaceId): Key => ({
  pk: memberships(member),
  sk: workspace,
});
/** What concerns requests for sign-in links. A prefix of its own, for the grant of the function. */
export const loginPrefix = 'LOGIN#';
/** Of an address or a source: the number of requests in a window, or a request, which carries its message. */
export const loginKey = (subject: string, sk: `COUNT#${number}` | `REQUEST#${string}`): Key => ({
  pk: loginPrefix + digest(subject),
  sk,
});

/** The request budget of a workspace, or a share of the deployment's. A prefix of its own, for the grant of the API functions. */
export const requestBudgetPrefix = 'BUDGET#';
export const requestBudgetKey = (owner: BudgetOwner): Key => ({
  pk: `${requestBudgetPrefix}${owner}`,
  sk: 'BUDGET',
});

/** The sending rate limiter of a region. */
export const sendLimiterKey = (region: string): Key => ({ pk: `LIMITER#${region}`, sk: 'LIMITER' });

/** Scheduled emails of all workspaces, in shards: one partition would take the writes of the whole deployment. */
export const scheduleShards = 8;
export const scheduleShard = (shard: number): string => `SCHEDULE#${shard}`;
/** Sorts after every email of the shard that is scheduled before `atMs`. */
export const scheduleBound = (shard: number, atMs: number): Key => ({
  pk: scheduleShard(shard),
  sk: sortableTime(atMs),
});
export const scheduleKey = (shard: number, atMs: number, workspace: WorkspaceId, id: EmailId): Key => ({
  pk: scheduleShard(shard),
  sk: `${scheduleBound(shard, atMs).sk}#${workspace}#${id}`,
});

/** Timers of jobs of all workspaces by their time, in shards. `job` is the key of its item. */
export const timerShards = 8;
export const timerBound = (shard: number, atMs: number): Key => ({
  pk: `TIMER#${shard}`,
  sk: sortableTime(atMs),
});
export const timerKey = (shard: number, atMs: number, job: string): Key => ({
  pk: `TIMER#${shard}`,
  sk: `${sortableTime(atMs)}#${job}`,
});

/** The mailboxes of a Google app with an address: its pushes name no workspace. `app` is null for the shared app. */
export const pushAddress = (app: OauthAppId | null, address: string): string =>
  `PUSHADDR#${digest(`${app ?? 'shared'} ${address}`)}`;
export const pushAddressKey = (
  app: OauthAppId | null,
  address: string,
  workspace: WorkspaceId,
  mailbox: MailboxId,
): Key => ({ pk: pushAddress(app, address), sk: `${workspace}#${mailbox}` });

/** The workspace of a connection: API Gateway names the connection only. */
export const connectionOwnerKey = (connection: string): Key => ({
  pk: `CONNECTION#${connection}`,
  sk: 'CONNECTION',
});

/** What the operator did that belongs to no workspace, by time. */
export const operatorEntries = 'AUDIT';
export const operatorAuditKey = ({ at, ...what }: AuditEntry): Key => ({
  pk: operatorEntries,
  sk: `${sortableTime(at)}#${digest(JSON.stringify(what))}`,
});

// Workspace and its settings

export const workspaceKey = (id: WorkspaceId): Key => ({ pk: `W#${id}`, sk: 'WORKSPACE' });
/** Caps, counts and suspension of the workspace's sending. */
export const sendingGuardKey = (id: WorkspaceId): Key => ({ pk: `W#${id}`, sk: 'SENDING' });
export const memberPrefix = 'MEMBER#';
export const memberKey = (id: WorkspaceId, email: string): Key => ({
  pk: `W#${id}`,
  sk: `${memberPrefix}${email.toLowerCase()}`,
});

/** Sessions of the console, by the hash of their token. */
export const sessions = (workspace: WorkspaceId): string => `W#${workspace}#SESSIONS`;
export const sessionKey = (workspace: WorkspaceId, hash: string): Key => ({
  pk: sessions(workspace),
  sk: hash,
});
/** Sign-in links, by the hash of their token. */
export const loginLinks = (workspace: WorkspaceId): string => `W#${workspace}#LOGINLINKS`;
export const loginLinkKey = (workspace: WorkspaceId, hash: string): Key => ({
  pk: loginLinks(workspace),
  sk: hash,
});

/** The number of resources of a kind, where it is limited. */
export const counterKey = (workspace: WorkspaceId, kind: string): Key => ({
  pk: `W#${workspace}`,
  sk: `COUNT#${kind}`,
});

/** Numbers of events by day in UTC: a partition of its own, apart from what sends write. */
export const usageDays = (workspace: WorkspaceId): string => `W#${workspace}#USAGE`;
export const usageDay = (workspace: WorkspaceId, day: string): Key => ({
  pk: usageDays(workspace),
  sk: day,
});
/** Those of all workspaces, as a pattern. */
export const usagePartitions = 'W#*#USAGE';

/** What the operator and keys changed, by time. */
export const auditEntries = (workspace: WorkspaceId): string => `W#${workspace}#AUDIT`;
/** Those of all workspaces, as a pattern. */
export const auditPartitions = 'W#*#AUDIT';
export const auditKey = (workspace: WorkspaceId, { at, ...what }: AuditEntry): Key => ({
  pk: auditEntries(workspace),
  sk: `${sortableTime(at)}#${digest(JSON.stringify(what))}`,
});
export const apiKeys = (workspace: WorkspaceId): string => `W#${workspace}#KEYS`;
export const apiKeyKey = (workspace: WorkspaceId, id: KeyId): Key => ({ pk: apiKeys(workspace), sk: id });

export const spaces = (workspace: WorkspaceId): string => `W#${workspace}#SPACES`;
export const spaceKey = (workspace: WorkspaceId, id: SpaceId): Key => ({ pk: spaces(workspace), sk: id });
/** The spaces that are being torn down, in one item (docs/decisions/0047-teardown-of-spaces.md). */
export const deletedSpacesKey = (workspace: WorkspaceId): Key => ({
  pk: `W#${workspace}`,
  sk: 'DELETED_SPACES',
});
/** How far the teardowns of spaces are, and that of the workspace itself. */
export const teardowns = (workspace: WorkspaceId): string => `W#${workspace}#TEARDOWNS`;
export const teardownKey = (workspace: WorkspaceId, scope: TeardownScope): Key => ({
  pk: teardowns(workspace),
  sk: scope,
});
/** Deleted emails and threads whose parts are being removed; afterwards, for a time, that the id was deleted. */
export const erasures = (workspace: WorkspaceId): string => `W#${workspace}#ERASED`;
export const erasureKey = (workspace: WorkspaceId, id: EmailId | ThreadId): Key => ({
  pk: erasures(workspace),
  sk: id,
});
export const externalIdKey = (workspace: WorkspaceId, externalId: string): Key => ({
  pk: `W#${workspace}#XID#${digest(externalId)}`,
  sk: 'XID',
});

export const domains = (workspace: WorkspaceId): string => `W#${workspace}#DOMAINS`;
export const domainKey = (workspace: WorkspaceId, id: DomainId): Key => ({ pk: domains(workspace), sk: id });
/** The subdomains of a wildcard, so that its deletion finds them among any number of domains. */
export const subdomains = (workspace: WorkspaceId, wildcard: DomainId): string =>
  `W#${workspace}#DOMAIN#${wildcard}`;
export const subdomainKey = (workspace: WorkspaceId, wildcard: DomainId, id: DomainId): Key => ({
  pk: subdomains(workspace, wildcard),
  sk: id,
});

// Mailboxes

/** OAuth apps. */
export const oauthApps = (workspace: WorkspaceId): string => `W#${workspace}#APPS`;
export const oauthAppKey = (workspace: WorkspaceId, id: OauthAppId): Key => ({
  pk: oauthApps(workspace),
  sk: id,
});
/** What remains of a deleted app while mailboxes need it: its OAuth client. */
export const retiredApps = (workspace: WorkspaceId): string => `W#${workspace}#RETIREDAPPS`;
export const retiredAppKey = (workspace: WorkspaceId, id: OauthAppId): Key => ({
  pk: retiredApps(workspace),
  sk: id,
});
/** The mailboxes whose credentials belong to an app. */
export const mailboxesOfApp = (workspace: WorkspaceId, app: OauthAppId): string =>
  `W#${workspace}#APP#${app}`;
export const mailboxOfAppKey = (workspace: WorkspaceId, app: OauthAppId, id: MailboxId): Key => ({
  pk: mailboxesOfApp(workspace, app),
  sk: id,
});
export const mailboxes = (workspace: WorkspaceId): string => `W#${workspace}#MAILBOXES`;
export const mailboxKey = (workspace: WorkspaceId, id: MailboxId): Key => ({
  pk: mailboxes(workspace),
  sk: id,
});
/** The claim of a mailbox on its address, in lower case: one mailbox for each address of a workspace. */
export const mailboxClaimKey = (workspace: WorkspaceId, address: string): Key => ({
  pk: `W#${workspace}#MAILBOX#${digest(address)}`,
  sk: 'MAILBOX',
});
/** What belongs to one mailbox: credentials, position of the synchronization. */
export const mailboxParts = (workspace: WorkspaceId, id: MailboxId): string => `W#${workspace}#MBX#${id}`;
export const mailboxCredentialsKey = (workspace: WorkspaceId, id: MailboxId): Key => ({
  pk: mailboxParts(workspace, id),
  sk: 'CREDENTIALS',
});
/** Where the synchronization of a mailbox is, with its lease and its timer. */
export const mailboxSyncKey = (workspace: WorkspaceId, id: MailboxId): Key => ({
  pk: mailboxParts(workspace, id),
  sk: 'SYNC',
});
/** Submissions of a mailbox that wait for their turn, in their order. */
export const waitingSubmissionPrefix = 'WAIT#';
export const waitingSubmissionKey = (workspace: WorkspaceId, id: MailboxId, position: string): Key => ({
  pk: mailboxParts(workspace, id),
  sk: `${waitingSubmissionPrefix}${position}`,
});
/** A consent that a browser is about to give, by the `state` of its URL. */
export const consentKey = (workspace: WorkspaceId, state: string): Key => ({
  pk: `W#${workspace}#CONSENT#${digest(state)}`,
  sk: 'CONSENT',
});

// Mail

/** Heads of all emails of a workspace. Ids are time-ordered: read backwards, the newest is first. */
export const emails = (workspace: WorkspaceId): readonly string[] => partitionsOf(workspace, 'E');
/** All that may have some, whatever the setting says. */
export const emailPartitions = (workspace: WorkspaceId): readonly string[] => everyPartition(workspace, 'E');
export const emailKey = (workspace: WorkspaceId, id: EmailId): Key => listedKey(workspace, 'E', id);
/** GSI1: emails of one space. */
export const emailsOfSpace = (workspace: WorkspaceId, space: SpaceId): string =>
  `W#${workspace}#S#${space}#E`;
/** Emails of one thread, oldest first. Keys only, in the table itself: a reply is decided from a consistent read. */
export const emailsOfThread = (workspace: WorkspaceId, thread: ThreadId): string =>
  `W#${workspace}#T#${thread}`;
export const emailOfThreadKey = (workspace: WorkspaceId, thread: ThreadId, id: EmailId): Key => ({
  pk: emailsOfThread(workspace, thread),
  sk: id,
});

/** Drafts (docs/concepts/drafts.md). */
export const drafts = (workspace: WorkspaceId): string => `W#${workspace}#DRAFTS`;
export const draftKey = (workspace: WorkspaceId, id: EmailId): Key => ({ pk: drafts(workspace), sk: id });
/** GSI1: drafts of one space. */
export const draftsOfSpace = (workspace: WorkspaceId, space: SpaceId): string =>
  `W#${workspace}#S#${space}#DRAFTS`;
/** Drafts of one thread, oldest first. Keys only. */
export const draftsOfThread = (workspace: WorkspaceId, thread: ThreadId): string =>
  `W#${workspace}#T#${thread}#DRAFTS`;
export const draftOfThreadKey = (workspace: WorkspaceId, thread: ThreadId, id: EmailId): Key => ({
  pk: draftsOfThread(workspace, thread),
  sk: id,
});

/** Drafts of a thread that were canceled, and are emails in no list of the thread. Keys only. */
export const endedDraftsOfThread = (workspace: WorkspaceId, thread: ThreadId): string =>
  `W#${workspace}#T#${thread}#ENDED`;
export const endedDraftKey = (workspace: WorkspaceId, thread: ThreadId, id: EmailId): Key => ({
  pk: endedDraftsOfThread(workspace, thread),
  sk: id,
});

/** All parts of one email except its head: content, attachments, history, submission chunks. */
export const emailParts = (workspace: WorkspaceId, id: EmailId): string => `W#${workspace}#E#${id}`;
export const contentKey = (workspace: WorkspaceId, id: EmailId): Key => ({
  pk: emailParts(workspace, id),
  sk: 'CONTENT',
});
/** An object that content of the email was written to when it might be replaced. */
export const contentObjectPrefix = 'OBJECT#';
export const contentObjectKey = (workspace: WorkspaceId, id: EmailId, name: string): Key => ({
  pk: emailParts(workspace, id),
  sk: `${contentObjectPrefix}${name}`,
});
export const historyPrefix = 'EVENT#';
export const historyKey = (workspace: WorkspaceId, id: EmailId, entry: HistoryEntryId): Key => ({
  pk: emailParts(workspace, id),
  sk: `${historyPrefix}${entry}`,
});
export const chunkPrefix = 'CHUNK#';
export const chunkKey = (workspace: WorkspaceId, id: EmailId, chunk: number): Key => ({
  pk: emailParts(workspace, id),
  sk: `${chunkPrefix}${String(chunk).padStart(3, '0')}`,
});
export const attachmentPrefix = 'ATT#';
export const attachmentKey = (workspace: WorkspaceId, id: EmailId, attachment: AttachmentId): Key => ({
  pk: emailParts(workspace, id),
  sk: `${attachmentPrefix}${attachment}`,
});
/** A Message-ID of a chunk that was submitted twice: the chunk names the other one. */
export const furtherIdKey = (workspace: WorkspaceId, id: EmailId, messageId: string): Key => ({
  pk: emailParts(workspace, id),
  sk: `${furtherIdPrefix}${digest(messageId)}`,
});
export const furtherIdPrefix = 'MID#';
/** The email of an attachment: requests name the attachment only. */
export const attachmentOwners = (workspace: WorkspaceId): string => `W#${workspace}#ATT`;
export const attachmentOwnerKey = (workspace: WorkspaceId, attachment: AttachmentId): Key => ({
  pk: attachmentOwners(workspace),
  sk: attachment,
});

/** A file that was uploaded ahead of its email. */
export const uploads = (workspace: WorkspaceId): string => `W#${workspace}#UPLOADS`;
export const uploadKey = (workspace: WorkspaceId, attachment: AttachmentId): Key => ({
  pk: uploads(workspace),
  sk: attachment,
});

export const threads = (workspace: WorkspaceId): readonly string[] => partitionsOf(workspace, 'T');
export const threadKey = (workspace: WorkspaceId, id: ThreadId): Key => listedKey(workspace, 'T', id);
/** Threads of a mailbox with one normalized subject, in order of creation. Keys only. */
export const threadsOfSubject = (
  workspace: WorkspaceId,
  space: SpaceRef,
  mailbox: string,
  subject: string,
): string => `W#${workspace}#S#${spaceTag(space)}#SUBJECT#${digest(`${mailbox}\n${subject}`)}`;
/** Activity entries: positions of threads by activity (docs/decisions/0020-activity-entries.md). */
export const activity = (workspace: WorkspaceId): string => `W#${workspace}#A`;
/** Those that were written while their thread was unread. */
export const unreadActivity = (workspace: WorkspaceId): string => `W#${workspace}#UNREAD#A`;
export const activitySort = (atMs: number, id: ThreadId | ''): string => `${sortableTime(atMs)}#${id}`;
/** GSI1: activity entries of one space. */
export const activityOfSpace = (workspace: WorkspaceId, space: SpaceId): string =>
  `W#${workspace}#S#${space}#A`;
/** GSI2: activity entries of one mailbox. Also the partition of those of threads that have another mailbox first. */
export const activityOfMailbox = (workspace: WorkspaceId, address: string): string =>
  `W#${workspace}#M#${address.toLowerCase()}#A`;

/** Activity entries of the threads in one list: with a label, or claimed. Keys only. */
export const activityOfList = (workspace: WorkspaceId, list: ThreadList): string =>
  `W#${workspace}#LIST#${list}#A`;
/** GSI1: those of one space. */
export const activityOfListInSpace = (workspace: WorkspaceId, space: SpaceId, list: ThreadList): string =>
  `W#${workspace}#S#${space}#LIST#${list}#A`;

/** A Message-ID in one space: a reference never crosses spaces (docs/concepts/spaces.md#isolation-between-spaces). */
export const messageIdKey = (workspace: WorkspaceId, space: SpaceRef, messageId: string): Key => ({
  pk: `W#${workspace}#MID#${digest(messageId)}`,
  sk: spaceTag(space),
});
/** A message that a space has received, by fingerprint. */
export const receivedKey = (workspace: WorkspaceId, space: SpaceRef, fingerprint: string): Key => ({
  pk: `W#${workspace}#RCVD#${digest(fingerprint)}`,
  sk: spaceTag(space),
});
/** A message of a provider in a mailbox: each becomes one email. */
export const providerMessageKey = (workspace: WorkspaceId, mailbox: MailboxId, messageId: string): Key => ({
  pk: `W#${workspace}#MBX#${mailbox}#MSG#${digest(messageId)}`,
  sk: 'MSG',
});
/** A conversation of a provider in a mailbox, with its thread. */
export const providerThreadKey = (workspace: WorkspaceId, mailbox: MailboxId, threadId: string): Key => ({
  pk: `W#${workspace}#MBX#${mailbox}#THREAD#${digest(threadId)}`,
  sk: 'THREAD',
});
/** The same by the thread: the conversation of a mailbox that it is. */
export const conversationsOf = (workspace: WorkspaceId, thread: ThreadId): string =>
  `W#${workspace}#T#${thread}#MBX`;
export const conversationKey = (workspace: WorkspaceId, mailbox: MailboxId, thread: ThreadId): Key => ({
  pk: conversationsOf(workspace, thread),
  sk: mailbox,
});
/** Which message of a provider an email is; teardown finds the index entries by it. */
export const providerRefKey = (workspace: WorkspaceId, id: EmailId, messageId: string): Key => ({
  pk: emailParts(workspace, id),
  sk: `${providerRefPrefix}${digest(messageId)}`,
});
export const providerRefPrefix = 'PROVIDER#';
/** Who has written to each space. */
export const correspondents = (workspace: WorkspaceId): string => `W#${workspace}#MET`;
export const correspondentKey = (workspace: WorkspaceId, space: SpaceRef, address: string): Key => ({
  pk: correspondents(workspace),
  sk: `${spaceTag(space)}#ADDRESS#${digest(address)}`,
});
export const correspondentDomainsKey = (workspace: WorkspaceId, space: SpaceRef): Key => ({
  pk: correspondents(workspace),
  sk: `${spaceTag(space)}#DOMAINS`,
});
export const idempotencyKey = (workspace: WorkspaceId, space: SpaceRef, key: string): Key => ({
  pk: `W#${workspace}#S#${spaceTag(space)}#IDEM#${digest(key)}`,
  sk: 'IDEM',
});

/** Opens and clicks of an email, in a partition of their own: submission and lists do not read them. */
export const engagements = (workspace: WorkspaceId, id: EmailId): string =>
  `W#${workspace}#E#${id}#ENGAGEMENTS`;
export const engagementPrefix = 'ENGAGEMENT#';
/** Sorts after every engagement, and before the reports. */
export const engagementsEnd = 'ENGAGEMENT$';
export const engagementKey = (workspace: WorkspaceId, id: EmailId, number: number): Key => ({
  pk: engagements(workspace, id),
  sk: `${engagementPrefix}${String(number).padStart(5, '0')}`,
});
/** An open or click reported by the provider, so that a repeated report is recorded once. */
export const reportedEngagementKey = (workspace: WorkspaceId, id: EmailId, source: string): Key => ({
  pk: engagements(workspace, id),
  sk: `REPORT#${digest(source)}`,
});
/** The number of opens and clicks, among the email's parts: at 0 the engagements need not be read. */
export const engagementCountKey = (workspace: WorkspaceId, id: EmailId): Key => ({
  pk: emailParts(workspace, id),
  sk: 'ENGAGEMENTS',
});

// Suppressions

/**
 * 10 bytes derived from an address on a list. They are the end of the suppression's id, too, so that a look-up by id and
 * one by address need no index.
 */
export const suppressionTail = (space: SpaceRef, list: string, address: string): Uint8Array =>
  createHash('sha256')
    .update([spaceTag(space), list, address].join('\n'))
    .digest()
    .subarray(0, suppressionTailBytes);
const suppressionTailBytes = 10;
export const suppressionKey = (workspace: WorkspaceId, tail: Uint8Array): Key => ({
  pk: `W#${workspace}#SUP#${Buffer.from(tail).toString('hex')}`,
  sk: 'SUPPRESSION',
});
export const suppressionKeyOfId = (workspace: WorkspaceId, id: SuppressionId): Key =>
  suppressionKey(workspace, Buffer.from(id.slice(-2 * suppressionTailBytes), 'hex'));
/** GSI1: all suppressions of a workspace by id, that is by time of creation. */
export const suppressions = (workspace: WorkspaceId): string => `W#${workspace}#SUPS`;

// Inbound rules

export const inboundRules = (workspace: WorkspaceId): string => `W#${workspace}#RULES`;
export const inboundRuleKey = (workspace: WorkspaceId, id: InboundRuleId): Key => ({
  pk: inboundRules(workspace),
  sk: id,
});
const ruleScopeTag = ({ spaceId, address }: RuleScope): string => `${spaceId ?? '*'}\n${address ?? '*'}`;
/** Names the rule with an action for senders that a pattern matches, in a scope: mail finds it without a list. */
export const inboundRuleIndexKey = (
  workspace: WorkspaceId,
  scope: RuleScope,
  pattern: string,
  action: RuleAction,
): Key => ({
  pk: `W#${workspace}#RULE#${digest(`${ruleScopeTag(scope)}\n${pattern}`)}`,
  sk: action,
});
/** The number of allow rules of a scope. */
export const allowRulesKey = (workspace: WorkspaceId, scope: RuleScope): Key => ({
  pk: `W#${workspace}#RULE#${digest(ruleScopeTag(scope))}`,
  sk: 'ALLOWS',
});
/** Messages that rules have blocked; they expire by TTL. */
export const blockedEmails = (workspace: WorkspaceId): string => `W#${workspace}#BLOCKED`;
export const blockedEmailKey = (workspace: WorkspaceId, id: BlockedEmailId): Key => ({
  pk: blockedEmails(workspace),
  sk: id,
});

// Live

/** Connections of clients that take events live, by the id that API Gateway gave them. */
export const liveConnections = (workspace: WorkspaceId): string => `W#${workspace}#LIVE`;
export const liveConnectionKey = (workspace: WorkspaceId, connection: string): Key => ({
  pk: liveConnections(workspace),
  sk: connection,
});
/** Tickets for connections, by their hash. */
export const liveTickets = (workspace: WorkspaceId): string => `W#${workspace}#LIVETICKETS`;
export const liveTicketKey = (workspace: WorkspaceId, hash: string): Key => ({
  pk: liveTickets(workspace),
  sk: hash,
});

// Webhooks

export const endpoints = (workspace: WorkspaceId): string => `W#${workspace}#ENDPOINTS`;
export const endpointKey = (workspace: WorkspaceId, id: EndpointId): Key => ({
  pk: endpoints(workspace),
  sk: id,
});
/** Events, each once. Ids are time-ordered. */
export const events = (workspace: WorkspaceId): readonly string[] => partitionsOf(workspace, 'EVENTS');
export const eventKey = (workspace: WorkspaceId, id: EventId): Key => listedKey(workspace, 'EVENTS', id);
/** GSI2: events of a space. Events of the workspace itself are not in the index. */
export const eventsOfSpace = (workspace: WorkspaceId, space: SpaceId): string =>
  `W#${workspace}#S#${space}#V`;
export const deliveries = (workspace: WorkspaceId, endpoint: EndpointId): readonly string[] =>
  partitionsOf(workspace, `EP#${endpoint}`);
export const deliveryKey = (workspace: WorkspaceId, endpoint: EndpointId, id: DeliveryId): Key =>
  listedKey(workspace, `EP#${endpoint}`, id);
/** GSI2: deliveries of an endpoint in one state. */
export const deliveriesInState = (workspace: WorkspaceId, endpoint: EndpointId, state: string): string =>
  `W#${workspace}#EP#${endpoint}#${state}`;

/** Attempts that wait for an endpoint, by the deadline of their delivery: the oldest delivery first. */
export const waitingDeliveries = (workspace: WorkspaceId, endpoint: EndpointId): string =>
  `W#${workspace}#EP#${endpoint}#WAITING`;
export const waitingKey = (
  workspace: WorkspaceId,
  endpoint: EndpointId,
  of: {
    readonly deadlineAt: number;
    readonly deliveryId: DeliveryId;
    readonly replay: number;
    readonly attempt: number;
  },
): Key => ({
  pk: waitingDeliveries(workspace, endpoint),
  sk: `${sortableTime(of.deadlineAt)}#${of.deliveryId}#${of.replay}#${of.attempt}`,
});
/** The dispatch state of an endpoint. */
export const endpointStateKey = (workspace: WorkspaceId, endpoint: EndpointId): Key => ({
  pk: `W#${workspace}#EP#${endpoint}#STATE`,
  sk: 'STATE',
});

export const tenantPrefix = 'TENANT#';
/** The SES tenant of a workspace in a region. */
export const tenantKey = (workspace: WorkspaceId, region: string): Key => ({
  pk: `W#${workspace}`,
  sk: `${tenantPrefix}${region}`,
});

/** Notices to members. */
export const notices = (workspace: WorkspaceId): string => `W#${workspace}#NOTICE`;
/** A notice to a member, so that it is mailed once. */
export const noticeKey = (workspace: WorkspaceId, noticeId: string, to: string): Key => ({
  pk: notices(workspace),
  sk: `${noticeId}#${digest(to)}`,
});

// Pacing

export const pacingRules = (workspace: WorkspaceId): string => `W#${workspace}#PACING`;
export const pacingRuleKey = (workspace: WorkspaceId, id: PacingRuleId): Key => ({
  pk: pacingRules(workspace),
  sk: id,
});
/** Lease, timer and tree of the pacer. */
export const pacerKey = (workspace: WorkspaceId): Key => ({ pk: `W#${workspace}#PACER`, sk: 'STATE' });
/** Held emails, the oldest first. */
export const heldEmails = (workspace: WorkspaceId): string => `W#${workspace}#HELD`;
export const heldKey = (workspace: WorkspaceId, position: HeldPosition): Key => ({
  pk: heldEmails(workspace),
  sk: position,
});
/** What acceptance and the API leave to the pacer. */
export const pacerInbox = (workspace: WorkspaceId): string => `W#${workspace}#PACER#INBOX`;
export const inboxKey = (workspace: WorkspaceId, entry: string): Key => ({
  pk: pacerInbox(workspace),
  sk: entry,
});
/** A node of the tree of held emails, with one tree for each version of the rules. */
export const pacingNode = (workspace: WorkspaceId, version: number, node: NodeId): string =>
  `W#${workspace}#TREE#${version}#${node}`;
/** The entry of a node in its parent. */
export const pacingNodeKey = (workspace: WorkspaceId, version: number, node: NodeId): Key => ({
  pk: pacingNode(workspace, version, node),
  sk: 'NODE',
});
/** The slots of a limit for one scope value. */
export const pacingScopeKey = (workspace: WorkspaceId, { ruleId, value }: Constraint): Key => ({
  pk: `W#${workspace}#PACE#${digest(`${ruleId}\n${value}`)}`,
  sk: 'SCOPE',
});

// Outbox

/** The attribute that holds the messages of a change. The event source mapping of the relay looks for it in new items. */
export const outboxAttribute = 'outbox';
/** Messages of events of an email that no other item of it carries. */
export const outboxOfEmailKey = (workspace: WorkspaceId, email: EmailId, id: string): Key => ({
  pk: emailParts(workspace, email),
  sk: `OUT#${id}`,
});
/** Messages that no other item carries. */
export const outbox = (workspace: WorkspaceId): string => `W#${workspace}#OUT`;
export const outboxKey = (workspace: WorkspaceId, id: string): Key => ({
  pk: outbox(workspace),
  sk: `OUT#${id}`,
});
