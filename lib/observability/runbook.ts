/** The headings of docs/runbook.md. */

/** One for each alarm and for each log event that needs somebody to act. Anchors as GitHub derives them from the headings. */
export const runbookHeadings = [
  'dead-letter-queue-not-empty',
  'undelivered-notifications',
  'outbox-dead-letters',
  'outbox-lag',
  'queue-backlog',
  'oldest-mail',
  'api-function-errors',
  'worker-function-errors',
  'live-connections',
  'lambda-throttling',
  'recursive-loops',
  'api-5xx-responses',
  'api-latency',
  'periodic-worker-stopped',
  'canary-missed',
  'table-throttling',
  'index-throttling',
  'schedules-dropped',
  'webhook-endpoints-paused',
  'notices',
  'webhook-outages',
  'submissions-blocked',
  'submissions-throttled',
  'submissions-refused',
  'submissions-unconfirmed',
  'identities-failed',
  'bounce-rate',
  'complaint-rate',
  'suspended-workspaces',
  'tenants',
  'deleted-api-key-used',
  'receipt-rule-failures',
  'receipt-rule-set-inactive',
  'inbound-mail-dropped',
  'attachment-text-missing',
  'deleted-spaces',
  'erased-workspaces',
  'mailboxes',
  'mailboxes-not-synchronized',
] as const;
export type RunbookHeading = (typeof runbookHeadings)[number];

/** What customers report, in their words. */
export const symptomHeadings = [
  'an-email-arrived-twice',
  'an-email-did-not-arrive',
  'an-email-stays-queued',
  'a-webhook-did-not-come',
  'a-webhook-came-twice',
  'a-reply-is-not-in-its-thread',
  'mail-stopped-arriving',
  'requests-are-refused',
  'everything-has-stopped',
] as const;
export type SymptomHeading = (typeof symptomHeadings)[number];
