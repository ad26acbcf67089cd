/** What the receiving server found out about a message. */

/** Its verdicts, in the words of SES: `PASS`, `FAIL`, `GRAY` or `PROCESSING_FAILED`; null where a check was not made. */
export interface Verdicts {
  readonly spam: string | null;
  readonly virus: string | null;
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly dmarc: string | null;
  /** `none`, `quarantine` or `reject`, as the author's domain publishes; SES reports it where DMARC failed. */
  readonly dmarcPolicy: string | null;
}
