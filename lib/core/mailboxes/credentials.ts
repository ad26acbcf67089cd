/** The credentials of a mailbox as they are stored: each token sealed, in parts of a length that KMS takes. */

export interface SealedTokens {
  readonly refreshToken: readonly string[];
  readonly accessToken: readonly string[];
  /** Of the access token; Unix milliseconds. */
  readonly expiresAt: number;
}
