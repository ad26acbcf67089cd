/** The tenant operations of the SES v2 API. */
import { type AwsCall, AwsError, type AwsResponse } from '../aws/service.ts';
import type { Tenants } from './tenants.ts';
import * as wire from './wire.ts';

export type TenantAction = Extract<wire.SesAction, `${string}Tenant${string}`>;

export function isTenantAction(action: wire.SesAction): action is TenantAction {
  return action.includes('Tenant');
}

/** Runs a tenant operation. @param exists whether a resource exists @throws AwsError with SES's codes */
export function handleTenantCall(
  action: TenantAction,
  call: AwsCall,
  tenants: Tenants,
  exists: (arn: string) => boolean,
): AwsResponse {
  switch (action) {
    case 'CreateTenant': {
      const { TenantName } = wire.readBody(wire.requests[action], call.body);
      return wire.okResponse(wire.presentTenant(tenants.create(TenantName)));
    }
    case 'GetTenant': {
      const { TenantName } = wire.readBody(wire.requests[action], call.body);
      return wire.okResponse({ Tenant: wire.presentTenant(tenants.get(TenantName)) });
    }
    case 'DeleteTenant': {
      tenants.remove(wire.readBody(wire.requests[action], call.body).TenantName);
      return wire.okResponse();
    }
    case 'CreateTenantResourceAssociation': {
      const { TenantName, ResourceArn } = wire.readBody(wire.requests[action], call.body);
      if (!exists(ResourceArn)) {
        throw new AwsError('NotFoundException', `Resource <${ResourceArn}> does not exist.`, 404);
      }
      tenants.associate(TenantName, ResourceArn);
      return wire.okResponse();
    }
    case 'DeleteTenantResourceAssociation': {
      const { TenantName, ResourceArn } = wire.readBody(wire.requests[action], call.body);
      tenants.dissociate(TenantName, ResourceArn);
      return wire.okResponse();
    }
    case 'ListResourceTenants': {
      const { ResourceArn, PageSize, NextToken = '' } = wire.readBody(wire.requests[action], call.body);
      const rest = tenants.ofResource(ResourceArn).filter(({ name }) => name > NextToken);
      const page = rest.slice(0, PageSize);
      return wire.okResponse({
        ResourceTenants: page.map(({ name, arn }) => ({
          TenantName: name,
          TenantId: arn.split('/').at(-1),
          ResourceArn,
        })),
        ...(rest.length > PageSize && { NextToken: page.at(-1)?.name }),
      });
    }
  }
}
