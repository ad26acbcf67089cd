/** The template checks of `cdk synth`: AWS Solutions rules on top of CloudFormation's own. Apart, as they take a second to load. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Registers the rules; a finding that is not acknowledged fails the synthesis. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
