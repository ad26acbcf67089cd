/** Files that are uploaded ahead of the email they go with: a request to the API carries about 3 MB of them itself. */
import type { StoredAttachment } from './email.ts';

export interface Upload extends StoredAttachment {
  /** Unix milliseconds. From then on it cannot be named in a send; emails that took it keep their copies. */
  readonly expiresAt: number;
}

/** Where uploads lie in the content bucket. Outside the workspaces' prefixes, since a lifecycle rule takes one prefix. */
export const uploadPrefix = 'uploads/';
