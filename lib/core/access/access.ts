/** Permissions: scopes of API keys and roles of members, request-budget classes, queues, and grants of function roles. */

/** Scopes from narrow to wide (docs/concepts/authentication.md#scopes). */
export const scopes = ['read', 'draft', 'sending', 'full'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a key of scope `held` may call an operation that needs `needed`. */
export function scopeAllows(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}

export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What a session of a member may do (docs/concepts/members.md#roles). */
export const roleScopes: Readonly<Record<MemberRole, Scope>> = {
  owner: 'full',
  admin: 'full',
  member: 'sending',
  viewer: 'read',
};

/** Whether a key of this scope may let mail leave; any other makes drafts only (docs/concepts/drafts.md#the-scope-draft). */
export const maySend = (held: Scope): boolean => scopeAllows(held, 'sending');

/** Units of each request-budget class (docs/concepts/request-budget.md#classes). */
export const budgetUnits = { read: 1, send: 2, query: 5, provision: 10 } as const;
export type BudgetClass = keyof typeof budgetUnits;

/** The queues, each with its consumer. Each has a dead-letter queue with an alarm. */
export const queues = {
  /** Emails in lanes, one for each workspace and region, until they get a slot of its sending rate: `release-mail`. */
  outgoing: { fifo: true },
  /** Emails to submit to SES in their slot: `send-mail`. */
  mail: { fifo: false },
  /** Workspaces with held emails that may leave: `pace-mail`. */
  pacing: { fifo: false },
  /** Events to create deliveries for: `publish-event`. */
  events: { fifo: false },
  /** Webhook attempts, one message each: `deliver-webhook`. */
  deliveries: { fifo: false },
  /** Events for live connections, one group for each workspace: `push-live`. */
  live: { fifo: true },
  /** Background DNS checks, mails about outages, sign-in links, revocations, teardowns of deleted spaces: `run-task`. */
  tasks: { fifo: false },
  /** SES management calls, one group per region and workspace: `sync-identity`. */
  identities: { fifo: true },
  /** Messages that are due later: `forward-delayed`. */
  delays: { fifo: false },
  /** Files of received mail for text extraction: `extract-text`. */
  attachments: { fifo: false },
  /** Mailboxes to synchronize with their provider: `sync-mailbox`. */
  mailboxes: { fifo: false },
  /** Messages of mailboxes to store: `receive-mailbox-mail`. */
  'mailbox-mail': { fifo: false },
  /** Emails to submit through a mailbox: `send-mailbox-mail`. */
  'mailbox-submissions': { fifo: false },
  /** Notifications of received mail from the receipt rule's topic: `receive-mail`. */
  inbound: { fifo: false },
  /** Notifications of the configuration set's topic: `provider-event`. */
  'provider-events': { fifo: false },
} as const;
export type QueueName = keyof typeof queues;

/** The end of the name and of the URL of a queue: a FIFO queue has `.fifo` ("Amazon SQS queue and message identifiers"). */
export function queueSuffix(name: QueueName): string {
  return queues[name].fifo ? `${name}.fifo` : name;
}

/** Purposes of encrypted secrets, each bound to its ciphertexts by the KMS encryption context. */
export const secretPurposes = [
  'webhook-secret',
  'dkim-key',
  'link-secret',
  'cursor-secret',
  /** Tokens of connected mailboxes. */
  'mailbox-token',
  /** Client secrets of OAuth apps. */
  'oauth-app-secret',
] as const;
export type SecretPurpose = (typeof secretPurposes)[number];

/** What a function's role may do. `lib/constructs` turns each into IAM statements, and nothing else does. */
export type Grant =
  | 'table:get'
  | 'table:query'
  | 'table:put'
  /** Puts and deletions of many items at once: one permission in DynamoDB. */
  | 'table:write-many'
  | 'table:update'
  | 'table:delete'
  | 'table:check'
  /** Updates of items by key hash only, and audit entries: the last use of an API key, the use of a deleted one. */
  | 'table:touch-key'
  /** Counts of requests for sign-in links, and these requests, only. */
  | 'table:request-links'
  /** Updates of request budgets only. */
  | 'table:spend-budget'
  /** Updates of the counts of days only. */
  | 'table:count-usage'
  | 'content:get'
  | 'content:put'
  | 'content:delete'
  /** The keys of objects of emails and uploads. */
  | 'content:list'
  /** Secrets of one purpose only. */
  | `secrets:${'encrypt' | 'decrypt'}:${SecretPurpose}`
  /** The secrets of the OAuth apps that all workspaces share. */
  | 'shared-apps:read'
  | 'mail:send'
  /** The sending limits of the account. */
  | 'mail:limits'
  | 'identities:manage'
  | 'identities:read'
  /** The active receipt rule set of each mail region. */
  | 'rule-sets:read'
  | 'raw-mail:get'
  | 'raw-mail:delete'
  /** The tag by which raw mail expires. */
  | 'raw-mail:tag'
  | 'schedules:write'
  /** Segments of traces, in AWS X-Ray. */
  | 'traces:write'
  /** Messages to live connections, and their end. */
  | 'live:connections'
  /** Calls of the function of an operation, by its contract id. */
  | `operations:invoke:${string}`
  | `queue:${QueueName}:send`;
