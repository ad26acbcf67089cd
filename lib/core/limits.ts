/** The limits of the interface and the contract, each once. */
export const limits = {
  recipientsPerField: 100,
  attachmentsPerMessage: 20,
  /** Decoded bytes of all attachments of a message, stored ones included (contract, section 2). */
  attachmentBytes: 25 * 1024 * 1024,
  /** UTF-8 bytes of `html` and of `text`, each. */
  bodyBytes: 2 * 1024 * 1024,
  /**
   * UTF-8 bytes that are shown of a received message's plain text, and of its html; one that is longer is a file beside
   * them, whole. An answer has the text three times and the html twice, and ends at 6 MB.
   */
  receivedTextBytes: 512 * 1024,
  receivedHtmlBytes: 1024 * 1024,
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
  forwardNoteCharacters: 2000,
  queryCharacters: 320,
  snippetCharacters: 200,
  pageSize: 100,
  pageSizeDefault: 40,
  /** Bytes of message content in one page of a thread, as the answer of a Lambda has them, which ends at 6 MB. */
  pageBytes: 4 * 1024 * 1024,
  /** Likewise of the bodies, headers and recipients of one email. */
  emailBytes: 5 * 1024 * 1024,
  /** Newest opens and clicks that an email shows; a list of their own has all of them. */
  engagementsShown: 20,
  /** Bytes of the history that a response shows. */
  historyBytes: 500_000,
  /** Life of a link to a file or to its prepared text. */
  linkSeconds: 900,
  /** Life of an upload that waits to be named in a send. */
  uploadSeconds: 24 * 3600,
  /** UTF-8 bytes of a prepared text within an email (`include=attachment_content`). */
  inlineTextBytes: 256 * 1024,
  /** Files of a received message that are prepared; the others are stored only. */
  extractedFiles: 100,
  nameCharacters: 255,
  externalIdCharacters: 255,
  routingRules: 100,
  endpointConcurrency: 128,
  endpointConcurrencyDefault: 16,
  webhookTimeoutSeconds: 10,
  webhookResponseBytes: 2048,
  /** SES takes so many envelope recipients in one call (To, Cc and Bcc together). */
  recipientsPerSubmission: 50,
} as const;
