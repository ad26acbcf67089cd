/** What a caller's policy must allow for each call of SES v2 (Service Authorization Reference). */
import type { AwsCall, NeededPermission } from '../aws/service.ts';
import { domainOf } from './outcomes.ts';
import { readAddress } from './submission.ts';
import * as wire from './wire.ts';

/**
 * SendEmail with raw content is checked as SendRawEmail too, on the identity and on the configuration set.
 *
 * @param identityOf name of the identity that covers a domain
 */
export function permissionsOf(
  call: AwsCall,
  account: string,
  identityOf: (domain: string) => string | undefined,
): NeededPermission[] {
  const action = wire.actionOf(call);
  const arn = (resource: string) => `arn:aws:ses:${call.region}:${account}:${resource}`;
  if (action === 'ListEmailIdentities') return [{ action: 'ses:ListEmailIdentities', resource: '*' }];
  if (action !== 'SendEmail') {
    const name =
      action === 'CreateEmailIdentity'
        ? wire.readBody(wire.requests[action], call.body).EmailIdentity
        : wire.identityInPath(call);
    return [{ action: `ses:${action}`, resource: arn(`identity/${name}`) }];
  }
  const request = wire.readBody(wire.requests[action], call.body);
  const sender = readAddress(request.FromEmailAddress);
  const domain = domainOf(sender);
  const set = request.ConfigurationSetName;
  const resources = [
    arn(`identity/${identityOf(domain) ?? domain}`),
    ...(set === undefined ? [] : [arn(`configuration-set/${set}`)]),
  ];
  const context = { 'ses:FromAddress': [sender] };
  return resources.flatMap((resource) =>
    ['ses:SendEmail', 'ses:SendRawEmail'].map((name) => ({ action: name, resource, context })),
  );
}
