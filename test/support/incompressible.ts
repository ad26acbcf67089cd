/** Text that compression does not make smaller: content of this size is in the bucket. */
import { randomBytes } from 'node:crypto';

/** Random text of `length` characters. */
export const incompressible = (length: number): string =>
  randomBytes(length).toString('base64').slice(0, length);
