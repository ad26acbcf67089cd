/** The catalogue of log events: level, fields and runbook heading of each. */
import type { RunbookHeading } from './runbook.ts';

/** Levels that Lambda's log-level filtering knows ("Log-level filtering", AWS Lambda Developer Guide). */
export type LogLevel = 'INFO' | 'WARN' | 'ERROR';

/** An error as it is logged: other properties, such as an SDK's copy of an item, may hold mail or secrets. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: LoggedError;
}

/** Every field a log event may carry: ids, counts and fixed words. Never content, addresses or secrets. */
export interface LogFields {
  readonly operation: string;
  /** API Gateway's request id, as in the response and in the access log. */
  readonly request_id: string;
  readonly code: string;
  readonly error: LoggedError;
  readonly error_name: string;
  /** The first stack frames of an error whose message may quote a file. */
  readonly frames: readonly string[];
  readonly queue: string;
  readonly message_id: string;
  /** The id of a notice to members. */
  readonly notice: string;
  /** How often SQS has delivered the message. */
  readonly receives: number;
  readonly sequence_number: string;
  readonly workspace_id: string;
  readonly key_id: string;
  readonly space_id: string;
  readonly email_id: string;
  /** The kind of a queue message. */
  readonly kind: string;
  readonly endpoint_id: string;
  /** The id of an inbound rule; empty for none. */
  readonly rule_id: string;
  readonly mailbox_id: string;
  readonly chunk: number;
  /** In UTC. */
  readonly day: string;
  /** How often the chunk has been claimed. */
  readonly attempt: number;
  readonly region: string;
  /** One of the causes of `lib/adapters/ses.ts`. */
  readonly cause: string;
  /** What SES or a mail provider answered, without addresses; the detail of a problem. */
  readonly reason: string;
  /** SES's id of a received message. */
  readonly ses_id: string;
  readonly recipients: number;
  readonly hops: number;
  readonly problems: readonly string[];
  /** The failed verdict: `spam`, `virus` or `dmarc`. */
  readonly verdict: string;
}

interface LogEvent<Field extends keyof LogFields> {
  readonly level: LogLevel;
  readonly runbook: RunbookHeading;
  /** In its type only: every function contains the catalogue. */
  readonly fields?: Field;
}

function event<Field extends keyof LogFields = never>(
  level: LogLevel,
  runbook: RunbookHeading,
): LogEvent<Field> {
  return { level, runbook };
}

export const logEvents = {
  /** A request failed on our side and was answered with 500. */
  'api.internal_error': event<'operation' | 'request_id' | 'error'>('ERROR', 'api-function-errors'),
  /** A change of a record was given up, because others changed it at each attempt; the caller or the queue tries again. */
  'table.record_contended': event<'error'>('WARN', 'table-throttling'),
  /** A request was answered with a 5xx status because of SES; `code` is the code of the problem. */
  'api.provider_error': event<'operation' | 'request_id' | 'code'>('WARN', 'api-5xx-responses'),
  /** A page told a person that something does not work: `code` and `reason` say to developers why. */
  'api.page_problem': event<'operation' | 'request_id' | 'code' | 'reason'>('INFO', 'api-function-errors'),
  /** The last use of an API key was not recorded; the request itself was served. */
  'api.key_use_not_recorded': event<'operation' | 'request_id' | 'error'>('ERROR', 'api-function-errors'),
  /** The sending of a workspace was suspended: `reason` is operator, bounces or complaints. */
  'workspace.suspended': event<'workspace_id' | 'reason'>('WARN', 'suspended-workspaces'),
  /** The members of a suspended workspace were told; `recipients`: how many. */
  'workspace.suspension_reported': event<'workspace_id' | 'reason' | 'recipients'>(
    'INFO',
    'suspended-workspaces',
  ),
  /** SES refused to make the tenant of a workspace, or to let it send with an identity: its mail goes without the tenant. */
  'tenant.refused': event<'region' | 'workspace_id' | 'reason'>('WARN', 'tenants'),
  /** Sign-in links were asked for too often; `cause`: for one `address`, or from one `source`. Nothing was mailed. */
  'login.limited': event<'cause'>('INFO', 'notices'),
  /** A member was mailed links to the console; `recipients` 0: the deployment has no support address. */
  'login.links_mailed': event<'workspace_id' | 'recipients'>('INFO', 'notices'),
  /** A deleted API key was used: somebody still has it. */
  'api.deleted_key_used': event<'workspace_id' | 'key_id'>('WARN', 'deleted-api-key-used'),
  /** Everything in a deleted space is removed. */
  'space.removed': event<'workspace_id' | 'space_id'>('INFO', 'deleted-spaces'),
  /** The removal of what is in a deleted space takes longer than a day. */
  'space.removal_late': event<'workspace_id' | 'space_id'>('WARN', 'deleted-spaces'),
  /** Everything that an erased workspace has owned is removed. */
  'workspace.removed': event<'workspace_id'>('INFO', 'erased-workspaces'),
  /** The removal of what an erased workspace has owned takes longer than a day. */
  'workspace.removal_late': event<'workspace_id'>('WARN', 'erased-workspaces'),
  /** A provider refuses the authorization of a mailbox: its customer connects it again. `reason`: what the provider answered. */
  'mailbox.needs_reauth': event<'workspace_id' | 'mailbox_id' | 'reason'>('INFO', 'mailboxes'),
  /** A person has consented, and the mailbox was not connected: `reason` says what the provider answered. */
  'mailbox.not_connected': event<'workspace_id' | 'cause' | 'reason'>('WARN', 'mailboxes'),
  /** A person has consented, and the mailbox was not connected because of a failure on our side. */
  'mailbox.connection_failed': event<'workspace_id' | 'error'>('ERROR', 'mailboxes'),
  /** The authorization of a disconnected mailbox was not revoked at the provider; its credentials are destroyed all the same. */
  'mailbox.not_revoked': event<'workspace_id' | 'mailbox_id' | 'cause' | 'reason'>('WARN', 'mailboxes'),
  /** The provider of a mailbox did not accept an email, or did not answer. `reason`: its answer, without addresses. */
  'submission.mailbox_failed': event<'workspace_id' | 'mailbox_id' | 'email_id' | 'cause' | 'reason'>(
    'INFO',
    'mailboxes',
  ),
  /** A provider has failed a synchronization; it is tried again, unless the authorization is gone. */
  'mailbox.sync_failed': event<'workspace_id' | 'mailbox_id' | 'cause' | 'reason'>('WARN', 'mailboxes'),
  /** A synchronization has failed on our side; it is tried again. */
  'mailbox.sync_broken': event<'workspace_id' | 'mailbox_id' | 'error'>('ERROR', 'mailboxes'),
  /** A mailbox has not been synchronized for an hour; it is tried again. `reason`: what failed last. */
  'mailbox.not_synchronized': event<'workspace_id' | 'mailbox_id' | 'reason'>(
    'WARN',
    'mailboxes-not-synchronized',
  ),
  /** A provider has lost the position of a mailbox: what may be missing is listed by time. */
  'mailbox.resync': event<'workspace_id' | 'mailbox_id'>('INFO', 'mailboxes'),
  /** A provider does not take a subscription to pushes; polls go on. */
  'mailbox.subscription_failed': event<'workspace_id' | 'mailbox_id' | 'cause'>('WARN', 'mailboxes'),
  /** A push that proves nothing: forged, or of a subscription that is gone. */
  'mailbox.push_refused': event<'cause'>('INFO', 'mailboxes'),
  /** The units in flight of a request end by themselves within a minute. */
  'api.budget_not_released': event<'operation' | 'request_id' | 'error'>('ERROR', 'api-function-errors'),
  /** A click was not recorded; the person was redirected all the same. */
  'tracking.click_not_recorded': event<'request_id' | 'error'>('ERROR', 'api-function-errors'),
  /** A worker failed on a queue message, which SQS delivers again. */
  'queue.message_failed': event<'queue' | 'message_id' | 'receives' | 'error'>(
    'ERROR',
    'worker-function-errors',
  ),
  /** A queue message of an unknown kind or version, which ends in the dead-letter queue. */
  'queue.unknown_message': event<'queue' | 'message_id' | 'receives' | 'error'>(
    'ERROR',
    'worker-function-errors',
  ),
  /** The backoff of a failed message could not be set; it is delivered after the visibility timeout of its queue. */
  'queue.backoff_not_set': event<'queue' | 'message_id' | 'error'>('WARN', 'worker-function-errors'),
  /** The relay failed on an outbox item; the stream delivers its record again. */
  'relay.record_failed': event<'sequence_number' | 'error'>('ERROR', 'outbox-lag'),
  /** The relay could not do the work of a message itself; the message is in its queue. */
  'relay.work_failed': event<'kind' | 'error'>('WARN', 'outbox-lag'),
  /** API Gateway did not take a message for a live connection; it is sent again a second later. */
  'live.not_posted': event<'error'>('INFO', 'live-connections'),
  /** API Gateway did not end a live connection, to which nothing is sent any more. */
  'live.not_ended': event<'error'>('INFO', 'live-connections'),
  /** A message of a client was not answered: a failure on our side. */
  'live.message_failed': event<'request_id' | 'error'>('ERROR', 'live-connections'),
  /** Events are missing in the counts of a day. */
  'usage.not_counted': event<'workspace_id' | 'day' | 'error'>('WARN', 'usage'),
  /** The events of an item are missing in the counts: its messages are corrupt. The relay reports it, too. */
  'usage.record_skipped': event<'sequence_number' | 'error'>('WARN', 'usage'),
  /** SES did not report the sending limits of the account; the known ones stay in force. */
  'submission.limits_unknown': event<'region' | 'error'>('WARN', 'submissions-throttled'),
  /** SES takes mail, but not at this rate; the submission is retried. */
  'submission.throttled': event<'cause' | 'region' | 'email_id' | 'chunk' | 'reason'>(
    'WARN',
    'submissions-throttled',
  ),
  /** No connection to SES was established; the submission is retried. */
  'submission.not_connected': event<'cause' | 'region' | 'email_id' | 'chunk' | 'reason'>(
    'WARN',
    'submissions-throttled',
  ),
  /** SES takes no mail in the region until something changes: quota, account status or permissions. */
  'submission.blocked': event<'cause' | 'region' | 'email_id' | 'chunk' | 'reason'>(
    'WARN',
    'submissions-blocked',
  ),
  /** SES refused the message; it is not retried. */
  'submission.refused': event<'cause' | 'region' | 'email_id' | 'chunk' | 'reason'>(
    'WARN',
    'submissions-refused',
  ),
  /** SES did not answer; the submission is unconfirmed until its provider event or its timeout. */
  'submission.unconfirmed': event<'cause' | 'region' | 'email_id' | 'chunk' | 'reason'>(
    'WARN',
    'submissions-unconfirmed',
  ),
  /** A claim had no outcome for five minutes, so the chunk was claimed again: a second copy is possible. */
  'submission.repeated': event<'workspace_id' | 'email_id' | 'chunk' | 'region' | 'attempt'>(
    'WARN',
    'submissions-unconfirmed',
  ),
  /** What the provider reports or has sent completed a claim: its worker was killed, got no answer, or was slower. */
  'submission.completed_by_report': event<'workspace_id' | 'email_id' | 'chunk' | 'region' | 'attempt'>(
    'INFO',
    'submissions-unconfirmed',
  ),
  /** An endpoint of format `v1` failed three times in a row and was paused. */
  'webhook.endpoint_paused': event<'workspace_id' | 'endpoint_id'>('WARN', 'webhook-endpoints-paused'),
  /** The timer of a pacer or a mailbox, or its message of this kind, was late or lost, and the sweep sent another message. */
  'job.resumed': event<'workspace_id' | 'kind'>('WARN', 'schedules-dropped'),
  /** Nothing has got through to a webhook endpoint for 24 hours; `recipients`: the members who were mailed. */
  'webhook.outage': event<'workspace_id' | 'endpoint_id' | 'recipients'>('WARN', 'webhook-outages'),
  /** SES refused the mail of a notice to a member. */
  'notice.refused': event<'workspace_id' | 'notice' | 'cause' | 'reason'>('WARN', 'notices'),
  /** The last email of the canary was not sent, did not come back, or was not announced: see `cause`. */
  'canary.missed': event<'email_id' | 'cause'>('WARN', 'canary-missed'),
  /** SES does not deliver received mail of the region to this deployment. */
  'inbound.rule_set_inactive': event<'region' | 'cause'>('WARN', 'receipt-rule-set-inactive'),
  /** SES could not be asked about an identity; it is tried again. */
  'identity.sync_failed': event<'region' | 'workspace_id' | 'error'>('ERROR', 'identities-failed'),
  /** An identity was given up: SES refused it, or found no record. Its domains have a finding. */
  'identity.failed': event<'region' | 'workspace_id' | 'cause' | 'reason'>('WARN', 'identities-failed'),
  /** Received mail for recipients of no workspace. */
  'inbound.dropped.no_recipient': event<'ses_id' | 'recipients'>('INFO', 'inbound-mail-dropped'),
  /** Received mail that passed through more servers than a mail loop allows. */
  'inbound.dropped.mail_loop': event<'ses_id' | 'hops'>('INFO', 'inbound-mail-dropped'),
  /** Mail of ours that came back to an address it was not sent to. */
  'inbound.dropped.own_mail': event<'ses_id' | 'workspace_id'>('INFO', 'inbound-mail-dropped'),
  /** Mail that failed a check, in a workspace whose inbound policy drops it. */
  'inbound.dropped.policy': event<'ses_id' | 'workspace_id' | 'verdict'>('INFO', 'inbound-mail-dropped'),
  /** Mail that an inbound rule of its workspace blocked; it can be let in. */
  'inbound.blocked': event<'ses_id' | 'workspace_id' | 'rule_id'>('INFO', 'inbound-mail-dropped'),
  /** A bounce or complaint about an email of ours that did not come from the recipients' mail servers: not counted. */
  'inbound.report_not_trusted': event<'ses_id' | 'workspace_id' | 'email_id' | 'recipients'>(
    'INFO',
    'inbound-mail-dropped',
  ),
  /** SES tested a new receipt rule or topic. */
  'inbound.setup_notification': event('INFO', 'inbound-mail-dropped'),
  /** Received mail that could be parsed in part only; what was read is stored. */
  'inbound.parsed_partially': event<'ses_id' | 'problems'>('INFO', 'inbound-mail-dropped'),
  /** A reader failed on a file in a way it does not expect. */
  'attachment.extraction_failed': event<'error_name' | 'frames'>('WARN', 'attachment-text-missing'),
} as const;

export type LogEventName = keyof typeof logEvents;

/** The fields of an event; all are required. */
export type FieldsOf<N extends LogEventName> = Pick<LogFields, NonNullable<(typeof logEvents)[N]['fields']>>;
