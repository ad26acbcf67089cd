/** The headings of docs/runbook.md: one for each alarm and for each log event that needs somebody to act. */

/** Anchors as GitHub derives them from the headings. */
export const runbookHeadings = [
  'dead-letter-queue-not-empty',
  'undelivered-notifications',
  'outbox-dead-letters',
  'outbox-lag',
  'queue-backlog',
  'oldest-mail',
  'api-function-errors',
  'worker-function-errors',
  'lambda-throttling',
  'api-5xx-responses',
  'api-latency',
  'periodic-worker-stopped',
  'table-throttling',
  'index-throttling',
  'schedules-dropped',
  'submissions-blocked',
  'submissions-throttled',
  'submissions-refused',
  'submissions-unconfirmed',
  'identities-failed',
  'bounce-rate',
  'complaint-rate',
  'suspended-workspaces',
  'deleted-api-key-used',
  'receipt-rule-failures',
  'receipt-rule-set-inactive',
  'inbound-mail-dropped',
  'attachment-text-missing',
] as const;
export type RunbookHeading = (typeof runbookHeadings)[number];
