/** Who may do what: API-key scopes, request-budget classes, and what each Lambda's role may touch. */

/** Scopes from narrow to wide (interface, "Authentication"). */
export const scopes = ['read', 'sending', 'full'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a key of scope `held` may call an operation that needs `needed`. */
export function scopeAllows(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}

/** Cost in units of each request-budget class (interface, "Request budget"). */
export const budgetUnits = { read: 1, send: 2, query: 5, provision: 10 } as const;
export type BudgetClass = keyof typeof budgetUnits;

/** The queues between the parts; each has a dead-letter queue and an alarm. */
export const queues = {
  /** Mail to hand off: `send-mail`. */
  mail: { fifo: false },
  /** Events to turn into deliveries: `publish-event`. */
  events: { fifo: false },
  /** Webhook attempts, one message group per endpoint slot: `deliver-webhook`. */
  webhooks: { fifo: true },
  /** Slow work of the control plane, DNS checks among it: `run-task`. */
  tasks: { fifo: false },
  /** SES management calls, one group per region, since SES allows one a second: `sync-identity`. */
  identities: { fifo: true },
  /** Messages to pass on later: `forward-delayed`. */
  delays: { fifo: false },
  /** Files of received mail to read into text: `extract-text`. */
  attachments: { fifo: false },
  /** Notifications of received mail from the receipt rule's topic: `receive-mail`. */
  inbound: { fifo: false },
  /** Notifications of the configuration set's topic: `provider-event`. */
  'provider-events': { fifo: false },
} as const;
export type QueueName = keyof typeof queues;

/** Purposes of encrypted secrets, each bound to its ciphertexts by the KMS encryption context. */
export type SecretPurpose = 'webhook-secret' | 'dkim-key';

/** What a function's role may do. `lib/constructs` turns each into IAM statements, and nothing else does. */
export type Grant =
  | 'table:get'
  | 'table:query'
  | 'table:put'
  | 'table:update'
  | 'table:delete'
  | 'table:check'
  /** Only the look-up item of an API key: the note of its last use. */
  | 'table:touch-key'
  | 'content:get'
  | 'content:put'
  | 'content:delete'
  /** Secrets of one purpose only. */
  | `secrets:${'encrypt' | 'decrypt'}:${SecretPurpose}`
  | 'mail:send'
  | 'identities:manage'
  | 'raw-mail:get'
  | 'schedules:write'
  | `queue:${QueueName}:send`;
