/** Which emails have a trace: a share of them by the end of their id, which is random, so that all lines of an email agree. */

/** Digits of the end of the id that decide, the last one first: the filter pattern looks at the last one only. */
const digits = 8;

/** @param share of the emails, 0 to 1 */
export function isTraced(emailId: string, share: number): boolean {
  const end = [...emailId.slice(-digits)].reverse().join('');
  return Number.parseInt(end, 16) < share * 16 ** digits;
}

/**
 * Matches the lines that name such an email, and of smaller shares than a sixteenth some more ("Filter pattern syntax for
 * metric filters, subscription filters, filter log events, and Live Tail", Amazon CloudWatch Logs User Guide).
 */
export function tracedPattern(share: number): string {
  const last = '0123456789abcdef'.slice(0, Math.ceil(share * 16));
  return `{ $.emails[*].email_id = %[${last}]$% }`;
}
