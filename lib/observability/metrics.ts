/** The catalogue of metrics that the functions publish. None has a workspace as a dimension: their number is not bounded. */

/** Units of CloudWatch ("MetricDatum", Amazon CloudWatch API Reference). */
type Unit = 'Count' | 'Milliseconds';

export const metrics = {
  /** Requests that the budget of their workspace refused. */
  RequestsOverBudget: 'Count',
  /** Workspaces whose sending was suspended. */
  WorkspacesSuspended: 'Count',
  /** Spaces that were deleted, and those of which everything is removed. */
  SpacesDeleted: 'Count',
  SpacesRemoved: 'Count',
  /** Workspaces that the operator erased, and those of which everything is removed. */
  WorkspacesErased: 'Count',
  WorkspacesRemoved: 'Count',
  /** Connections of mailboxes, repeated ones too. */
  MailboxesConnected: 'Count',
  /** Mailboxes that customers disconnected. */
  MailboxesDisconnected: 'Count',
  /** Mailboxes whose authorization the provider ended. */
  MailboxesNeedReauth: 'Count',
  /** Emails that the API accepted for sending or scheduling. */
  EmailsAccepted: 'Count',
  /** Held emails that the pacer let go. */
  EmailsPaced: 'Count',
  /** Tasks (pacers, synchronizations of mailboxes) whose timer was lost and to which the sweep called a worker. */
  JobsResumed: 'Count',
  /** Submissions (one call of SES each, 50 recipients at most), by outcome; see `lib/adapters/ses.ts`. */
  SubmissionsAccepted: 'Count',
  SubmissionsRefused: 'Count',
  SubmissionsThrottled: 'Count',
  SubmissionsNotConnected: 'Count',
  SubmissionsBlocked: 'Count',
  SubmissionsUnconfirmed: 'Count',
  /** Bounces and complaints recorded, by provider event or by mail. */
  EmailsBounced: 'Count',
  EmailsComplained: 'Count',
  /** Received emails stored: one for each space a message reaches. */
  EmailsReceived: 'Count',
  /** Mail that the owner of a connected mailbox sent elsewhere, stored in its thread. */
  EmailsSentElsewhere: 'Count',
  /** Received messages dropped, by cause. */
  InboundDroppedNoRecipient: 'Count',
  InboundDroppedMailLoop: 'Count',
  InboundDroppedOwnMail: 'Count',
  InboundDroppedPolicy: 'Count',
  /** Received messages that inbound rules blocked. */
  InboundBlocked: 'Count',
  /** Checks of a mail region whose active receipt rule set is not that of the deployment. */
  ReceiptRuleSetsInactive: 'Count',
  /** Emails of the canary that came back and were announced. */
  CanaryArrived: 'Count',
  /** From the acceptance of such an email to its receipt, and from there to the webhook. */
  CanaryReceived: 'Milliseconds',
  CanaryAnnounced: 'Milliseconds',
  /** Webhook attempts, by outcome; an attempt to a disabled endpoint is skipped. */
  WebhookAttemptsSucceeded: 'Count',
  WebhookAttemptsFailed: 'Count',
  WebhookAttemptsSkipped: 'Count',
  /** Webhook deliveries that failed with their last attempt. */
  WebhookDeliveriesFailed: 'Count',
  /** Webhook endpoints to which nothing has got through for 24 hours, each outage once. */
  WebhookOutages: 'Count',
  /** Synchronizations of mailboxes that have read everything. */
  MailboxesSynchronized: 'Count',
  /** Synchronizations that have failed, each to be tried again; not those of an authorization that is gone. */
  MailboxSyncsFailed: 'Count',
  /** Those of a mailbox that has not been synchronized for an hour. */
  MailboxesNotSynchronized: 'Count',
  /** Mailboxes whose provider has lost the position: a listing by time fills the gap. */
  MailboxResyncs: 'Count',
  /** Subscriptions to pushes that a provider has refused; polls go on. */
  MailboxSubscriptionsFailed: 'Count',
  /** Pushes of providers that were refused: forged, or of a subscription that is gone. */
  MailboxPushesRefused: 'Count',
  /**
   * From the time SQS took a message to the end of its processing, by queue. The delays of the delay queue are included.
   */
  QueueToDone: 'Milliseconds',
} as const satisfies Record<string, Unit>;

export type MetricName = keyof typeof metrics;
/** Metrics that are sums. */
export type CounterName = { [N in MetricName]: (typeof metrics)[N] extends 'Count' ? N : never }[MetricName];

/** Metrics that are times of one thing, without a dimension. */
export type DurationName = Exclude<MetricName, CounterName | 'QueueToDone'>;

/** The dimension of `QueueToDone`, as in the namespace AWS/SQS. */
export const queueDimension = 'QueueName';
