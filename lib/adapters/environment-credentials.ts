/**
 * Bundled in place of `@aws-sdk/credential-provider-node`: Lambda puts the credentials of the role into the environment.
 * See docs/decisions/0025-environment-credentials.md.
 */
import { type FromEnvInit, fromEnv } from '@aws-sdk/credential-provider-env';
import { doesIdentityRequireRefresh, isIdentityExpired } from '@smithy/core';
import { memoize } from '@smithy/core/config';

/**
 * Reads the environment once, as the SDK's chain does, and again where what was read has expired. In Lambda it has no such time: an
 * execution environment lasts for hours ("Understanding the Lambda execution environment lifecycle").
 *
 * @throws CredentialsProviderError where the environment holds none
 */
export const defaultProvider = (init?: FromEnvInit) =>
  memoize(fromEnv(init), isIdentityExpired, doesIdentityRequireRefresh);
