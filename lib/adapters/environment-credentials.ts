/**
 * Bundled in place of `@aws-sdk/credential-provider-node`: Lambda puts the credentials of the role into the environment.
 * See docs/decisions/0025-environment-credentials.md.
 */
import type { AwsCredentialIdentity } from '@smithy/types';

/** A provider that reads the environment at each call, since Lambda may renew the variables in place. @throws Error where they are missing */
export function defaultProvider(): () => Promise<AwsCredentialIdentity> {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey) throw new Error('the environment has no AWS credentials');
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  };
}
