/** The CDK app: `npx cdk deploy --all -c providedDomain=mail.example.com`. The settings are in lib/settings.ts. */

import { InvalidSettings, settingsFromContext } from '../lib/settings.ts';
import { addChecks } from '../lib/stacks/checks.ts';
import { synthesize } from '../lib/stacks/synthesize.ts';

/** The CDK CLI sets the account of its credentials. */
const byDefault: Record<string, unknown> = { account: process.env.CDK_DEFAULT_ACCOUNT };

try {
  synthesize((context) => settingsFromContext((name) => context(name) ?? byDefault[name]), {
    checks: addChecks,
  });
} catch (error) {
  if (!(error instanceof InvalidSettings)) throw error;
  // The message names the invalid setting; a stack trace would hide it.
  console.error(error.message);
  process.exitCode = 1;
}
