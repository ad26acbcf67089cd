/** Required permissions of each SES v2 operation (Service Authorization Reference, "Amazon Simple Email Service v2"). */
import type { AwsCall, NeededPermission } from '../aws/service.ts';
import { domainOf } from './outcomes.ts';
import { readAddress } from './submission.ts';
import { isTenantAction, type TenantAction } from './tenant-calls.ts';
import * as wire from './wire.ts';

/**
 * The permissions of a call. SendEmail with raw content also needs SendRawEmail, both on identity and configuration set.
 *
 * @param identityOf name of the identity that covers a domain
 * @param tenantArnOf ARN of a tenant
 * @throws AwsError for an invalid request
 */
export function permissionsOf(
  call: AwsCall,
  account: string,
  identityOf: (domain: string) => string | undefined,
  tenantArnOf: (name: string) => string | undefined,
): NeededPermission[] {
  const action = wire.actionOf(call);
  const arn = (resource: string) => `arn:aws:ses:${call.region}:${account}:${resource}`;
  if (action === 'GetAccount') return [{ action: 'ses:GetAccount', resource: '*' }];
  if (isTenantAction(action)) return tenantPermissions(action, call, arn, tenantArnOf);
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

/** An association needs the action on the tenant and on the resource. */
function tenantPermissions(
  action: TenantAction,
  call: AwsCall,
  arn: (resource: string) => string,
  tenantArnOf: (name: string) => string | undefined,
): NeededPermission[] {
  const request = wire.readBody(wire.requests[action], call.body);
  const tenants =
    'TenantName' in request ? [tenantArnOf(request.TenantName) ?? arn(`tenant/${request.TenantName}/-`)] : [];
  const resources = 'ResourceArn' in request ? [request.ResourceArn] : [];
  return [...tenants, ...resources].map((resource) => ({ action: `ses:${action}`, resource }));
}
