/** The limits of the API (docs/concepts/limits.md), each once. */
export const limits = {
  recipientsPerField: 100,
  attachmentsPerMessage: 20,
  /** Decoded bytes of all attachments of a message, uploads included (docs/concepts/attachments.md#total-size). */
  attachmentBytes: 25 * 1024 * 1024,
  /** UTF-8 bytes of `html` and of `text`, each. */
  bodyBytes: 2 * 1024 * 1024,
  subjectCharacters: 998,
  headers: 50,
  headerNameCharacters: 200,
  headerValueCharacters: 8000,
  senderNameCharacters: 200,
  /** A display name and an address with quotes, brackets and escapes. */
  addressInputCharacters: 1000,
  timestampCharacters: 64,
  suppressionKeyCharacters: 256,
  suppressionNoteCharacters: 1000,
  suppressionAddresses: 1000,
  idempotencyKeyCharacters: 255,
  scheduledAheadDays: 30,
  /** Emails of a thread that wait, and that a reply would cancel. */
  followUpsPerThread: 20,
  /** Lifetime of a draft that nobody approves. */
  draftDays: 30,
  /** Characters of `text` and of `html`, each, that are kept of a draft as it was first. */
  originalTextCharacters: 64 * 1024,
  forwardNoteCharacters: 2000,
  queryCharacters: 320,
  snippetCharacters: 200,
  pageSize: 100,
  pageSizeDefault: 40,
  /** Bytes of content in one page of messages, as encoded in the response (`bytesInResponse`). */
  pageBytes: 4 * 1024 * 1024,
  /** Bytes of bodies, headers and recipients of one email, likewise. */
  emailBytes: 5 * 1024 * 1024,
  /** Newest opens and clicks that an email shows; a list of their own has all of them. */
  engagementsShown: 20,
  /** Bytes of the history that a response shows. */
  historyBytes: 500_000,
  /** Lifetime of a link to a file or to its extracted text. */
  linkSeconds: 900,
  /** Lifetime of an upload. */
  uploadSeconds: 24 * 3600,
  /** UTF-8 bytes of an extracted text within an email (`include=attachment_content`). */
  inlineTextBytes: 256 * 1024,
  /** Files of a received message whose text is extracted; the others are stored only. */
  extractedFiles: 100,
  nameCharacters: 255,
  apiKeys: 100,
  members: 100,
  /** Subdomains of wildcards included. */
  domains: 1000,
  /** Disconnected ones included. */
  mailboxes: 10_000,
  oauthApps: 50,
  returnUrls: 20,
  returnUrlCharacters: 2000,
  mailboxRefCharacters: 200,
  backfillDays: 90,
  spaces: 100_000,
  /** Of those that requests create: reports of bounces and complaints are always kept. */
  suppressions: 1_000_000,
  apiKeyNetworks: 50,
  networkCharacters: 43,
  externalIdCharacters: 255,
  /** Every event of a workspace reads all of its endpoints. */
  endpoints: 50,
  routingRules: 100,
  /** Deliveries of one request to retry them. */
  retriedDeliveries: 100,
  /** Every send of a workspace is matched against all of its rules. */
  pacingRules: 100,
  /** A received message reads the rules that can match it, however many there are. */
  inboundRules: 10_000,
  pacingRuleNameCharacters: 120,
  pacingMatches: 50,
  pacingWindows: 50,
  pacingAmount: 1_000_000,
  /** 31 days. */
  pacingPeriodSeconds: 2_678_400,
  /** Emails that a response of the pacing queue has. */
  pacingQueue: 2000,
  pacingQueueDefault: 100,
  /** Emails of one request to release them. */
  releasedEmails: 500,
  endpointConcurrency: 128,
  endpointConcurrencyDefault: 16,
  /** Bytes of the payload of a test event as JSON: it is stored with its delivery. */
  testPayloadBytes: 64 * 1024,
  testResourceIdCharacters: 200,
  /** Longest time in which a rotated secret still signs. */
  secretGraceSeconds: 7 * 24 * 3600,
  secretGraceSecondsDefault: 24 * 3600,
  /** Of `from`, `from_name` and each recipient in version 1. */
  v1AddressCharacters: 320,
  /** Message-IDs in `references` of a send of version 1, and characters of each. */
  v1References: 100,
  messageIdCharacters: 998,
  /** Messages of a thread in version 1, the newest ones. */
  v1ThreadMessages: 200,
  /** What a search of version 1 reads at most (docs/decisions/0049-v1.md). */
  v1SearchedThreads: 20_000,
  v1SearchedEmails: 40_000,
  v1SearchedFailures: 500,
  v1SearchedDrafts: 1000,
  webhookTimeoutSeconds: 10,
  /** Of endpoints of format `v1`. */
  v1WebhookTimeoutSeconds: 30,
  webhookResponseBytes: 2048,
  /** Envelope recipients of one SES call, To, Cc and Bcc together ("Service quotas in Amazon SES"). */
  recipientsPerSubmission: 50,
} as const;

/** Days for which the messages of a change can be sent again, at least (`npm run admin -- outbox replay`). */
export const outboxDays = 15;

/**
 * The sentence of a refusal that says how the operator raises a limit.
 *
 * @param options of `workspace limits` (docs/administration.md)
 * @param settings of the deployment; empty: the workspace has a limit of its own
 */
export function raisedBy(options: readonly string[], settings: readonly string[]): string {
  const command = `workspace limits --workspace SLUG ${options.map((option) => `--${option} N`).join(' ')}`;
  const forAll =
    settings.length === 0
      ? ''
      : `, for all workspaces with the setting${settings.length === 1 ? '' : 's'} ${settings.join(' and ')}`;
  return `The operator raises it with \`npm run admin -- ${command}\`${forAll}.`;
}
