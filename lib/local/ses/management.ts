/** The identity operations of the SES v2 API. */
import { type AwsCall, AwsError, type AwsResponse } from '../aws/service.ts';
import { type Dkim, easyDkim, ownKey } from './dkim.ts';
import type { Identities } from './identities.ts';
import type { TenantAction } from './tenant-calls.ts';
import * as wire from './wire.ts';

/** Runs an identity operation. @param isAssociated whether a tenant has the identity @throws AwsError with SES's codes */
export async function handleManagementCall(
  action: Exclude<wire.SesAction, 'GetAccount' | 'SendEmail' | TenantAction>,
  call: AwsCall,
  identities: Identities,
  isAssociated: (identity: string) => boolean,
): Promise<AwsResponse> {
  const name = wire.identityInPath(call);
  switch (action) {
    case 'CreateEmailIdentity': {
      const request = wire.readBody(wire.requests[action], call.body);
      const dkim = request.DkimSigningAttributes
        ? dkimOf(request.DkimSigningAttributes, call.region, request.EmailIdentity)
        : null;
      const identity = await identities.create(
        request.EmailIdentity,
        dkim,
        request.ConfigurationSetName ?? null,
      );
      return wire.okResponse({
        IdentityType: 'DOMAIN',
        VerifiedForSendingStatus: identity.isVerified,
        DkimAttributes: wire.presentDkim(identity),
      });
    }
    case 'ListEmailIdentities': {
      const { PageSize, NextToken = '' } = wire.readBody(wire.requests[action], call.body);
      const rest = identities.list().filter((identity) => identity.name > NextToken);
      const page = rest.slice(0, PageSize);
      return wire.okResponse({
        EmailIdentities: page.map(wire.presentListEntry),
        ...(rest.length > PageSize && { NextToken: page.at(-1)?.name }),
      });
    }
    case 'GetEmailIdentity': {
      const identity = await identities.get(name);
      const status = identity.mailFrom && (await identities.mailFromStatus(identity.mailFrom));
      return wire.okResponse(wire.presentIdentity(identity, status));
    }
    case 'DeleteEmailIdentity':
      if (isAssociated(name)) {
        throw new AwsError('BadRequestException', `Email identity ${name} is associated with a tenant.`);
      }
      identities.remove(name);
      return wire.okResponse();
    case 'PutEmailIdentityDkimAttributes': {
      const { SigningEnabled } = wire.readBody(wire.requests[action], call.body);
      await identities.change(name, { isSigning: SigningEnabled });
      return wire.okResponse();
    }
    case 'PutEmailIdentityDkimSigningAttributes': {
      const { SigningAttributesOrigin, SigningAttributes } = wire.readBody(wire.requests[action], call.body);
      const dkim = SigningAttributes
        ? dkimOf(SigningAttributes, call.region, name)
        : easyDkim(call.region, name);
      if ((dkim.origin === 'EXTERNAL') !== (SigningAttributesOrigin === 'EXTERNAL')) {
        throw new AwsError('BadRequestException', 'SigningAttributes do not match SigningAttributesOrigin.');
      }
      const identity = await identities.change(name, { dkim });
      const { Status, Tokens } = wire.presentDkim(identity);
      return wire.okResponse({ DkimStatus: Status, DkimTokens: Tokens });
    }
    case 'PutEmailIdentityMailFromAttributes': {
      const { MailFromDomain, BehaviorOnMxFailure } = wire.readBody(wire.requests[action], call.body);
      if (MailFromDomain && !MailFromDomain.toLowerCase().endsWith(`.${name.toLowerCase()}`)) {
        throw new AwsError(
          'BadRequestException',
          `Provided MAIL-FROM domain <${MailFromDomain}> is not a subdomain of the domain of the identity <${name}>.`,
        );
      }
      const mailFrom = MailFromDomain
        ? { domain: MailFromDomain.toLowerCase(), onMxFailure: BehaviorOnMxFailure }
        : null;
      await identities.change(name, { mailFrom });
      return wire.okResponse();
    }
    case 'PutEmailIdentityConfigurationSetAttributes': {
      const { ConfigurationSetName } = wire.readBody(wire.requests[action], call.body);
      await identities.change(name, { configurationSet: ConfigurationSetName ?? null });
      return wire.okResponse();
    }
  }
}

function dkimOf(attributes: wire.SigningAttributes, region: string, domain: string): Dkim {
  return 'DomainSigningSelector' in attributes
    ? ownKey(attributes.DomainSigningSelector, attributes.DomainSigningPrivateKey)
    : easyDkim(region, domain);
}
