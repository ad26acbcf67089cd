/** Template checks of `cdk synth`: the AWS Solutions rules of cdk-nag, in a file of their own since they take a second to load. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Registers the rules; a finding that is not acknowledged fails synthesis. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
