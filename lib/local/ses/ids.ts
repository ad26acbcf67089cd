/** SES's message ids and the Message-ID header that SES sets. */
import { randomBytes, randomUUID } from 'node:crypto';

/** The first four digits of a message id, by region. */
const regionNumbers: Readonly<Record<string, string>> = {
  'us-east-1': '0100',
  'us-west-2': '0101',
  'eu-west-1': '0102',
  'eu-central-1': '0107',
};

/** `0100019aa3c0f1e2-6f8d2c1e-…-000000`: region, milliseconds in hex, UUID. Also the form of feedback ids. */
export function newMessageId(region: string, atMs: number): string {
  const prefix = regionNumbers[region] ?? '0100';
  return `${prefix}${Math.trunc(atMs).toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}

/** The message id of received mail: 40 lower-case letters and digits. */
export function newReceiptId(): string {
  return randomBytes(20).toString('hex');
}

/** `<id@email.amazonses.com>` in us-east-1, `<id@REGION.amazonses.com>` elsewhere. */
export function wireMessageId(region: string, id: string): string {
  return `<${id}@${region === 'us-east-1' ? 'email' : region}.amazonses.com>`;
}

/** The default MAIL FROM domain. */
export function defaultReturnPathDomain(region: string): string {
  return region === 'us-east-1' ? 'amazonses.com' : `${region}.amazonses.com`;
}
