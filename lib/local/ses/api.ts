/** The calls of the SES API: version 2, and the receipt rule sets of version 2010-12-01. */
import type { AwsCall, AwsResponse, AwsService } from '../aws/service.ts';
import { handleManagementCall } from './management.ts';
import { permissionsOf } from './permissions.ts';
import {
  handleQueryCall,
  isQueryCall,
  queryActionOf,
  queryErrorResponse,
  queryPermissions,
} from './receipt-rule-sets.ts';
import type { Region } from './region.ts';
import { readSubmission } from './submission.ts';
import { handleTenantCall, isTenantAction } from './tenant-calls.ts';
import * as wire from './wire.ts';

export interface SesApiOptions {
  readonly account: string;
  readonly isSandbox: boolean;
  /** @throws AwsError for an unknown region */
  regionOf(name: string): Region;
  /** Sends a mail that a region accepted. */
  send(mail: Awaited<ReturnType<Region['sending']['accept']>>): void;
}

export function createSesApi({ account, isSandbox, regionOf, send }: SesApiOptions): AwsService {
  const sendEmail = async (call: AwsCall): Promise<AwsResponse> => {
    const submission = readSubmission(wire.readBody(wire.requests.SendEmail, call.body));
    const { quota, sending } = regionOf(call.region);
    quota.take(submission.recipients.length);
    const mail = await sending.accept(submission, call.principal);
    send(mail);
    return wire.okResponse({ MessageId: mail.id });
  };

  return {
    name: 'ses',
    action: (call) => (isQueryCall(call) ? queryActionOf(call) : wire.actionOf(call)),
    permissions: (call) => {
      if (isQueryCall(call)) return queryPermissions(call);
      const { identities, tenants } = regionOf(call.region);
      return permissionsOf(
        call,
        account,
        (domain) => identities.nearest(domain)?.name,
        (name) => tenants.list().find((tenant) => tenant.name === name)?.arn,
      );
    },
    handle: async (call) => {
      const region = regionOf(call.region);
      if (isQueryCall(call)) return handleQueryCall(call, region.receiptRules);
      const action = wire.actionOf(call);
      if (action === 'SendEmail') return sendEmail(call);
      region.managementRate.take();
      if (action === 'GetAccount') {
        return wire.okResponse(wire.presentAccount(region.quota.report(), isSandbox));
      }
      if (isTenantAction(action)) {
        return handleTenantCall(action, call, region.tenants, (arn) => hasResource(region, arn));
      }
      return handleManagementCall(
        action,
        call,
        region.identities,
        (name) => region.tenants.ofResource(region.arnOf(`identity/${name}`)).length > 0,
      );
    },
    errorResponse: (error, call) =>
      isQueryCall(call) ? queryErrorResponse(error) : wire.errorResponse(error),
  };
}

/** Whether an identity or a configuration set exists. */
function hasResource({ arnOf, configurationSets, identities }: Region, arn: string): boolean {
  return (
    identities.list().some(({ name }) => arn === arnOf(`identity/${name}`)) ||
    configurationSets.arns().includes(arn)
  );
}
