/** The rule engines of cdk-nag and CloudFormation, which take seconds to load. */
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { addChecks } from '../../lib/stacks/checks.ts';
import { settings, templatesOf } from './templates.ts';

describe('the templates', () => {
  it('pass the AWS Solutions rules and the rules of CloudFormation', () => {
    expect(() => templatesOf(settings, { checks: addChecks })).not.toThrow();
  });

  it('pass the rules when the account is not known at synthesis', () => {
    expect(() => templatesOf(settingsOf({}), { checks: addChecks })).not.toThrow();
  });
});
