/**
 * Bundled in place of `@aws-sdk/credential-provider-node`: Lambda puts the credentials of the role into the environment.
 * See docs/decisions/0025-environment-credentials.md.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
