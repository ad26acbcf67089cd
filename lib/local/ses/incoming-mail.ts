/** A message with its envelope, as SES receives it. */
export interface IncomingMail {
  /** Envelope sender; empty for a DSN. */
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  readonly remoteAddress?: string;
  /** EHLO name of the client. */
  readonly hostName?: string;
  /** Whether SPF, DKIM and DMARC pass: the sender is an SES identity of this cloud. */
  readonly isAuthenticated?: boolean;
}
