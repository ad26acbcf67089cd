/** The identity operations of the SES v2 API. */
import { type AwsCall, AwsError, type AwsResponse } from '../aws/service.ts';
import { type Dkim, ownKey } from './dkim.ts';
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
      const identity = await identities.create(
        request.EmailIdentity,
        dkimOf(request.DkimSigningAttributes),
        request.ConfigurationSetName ?? null,
      );
      return wire.okResponse({
        IdentityType: 'DOMAIN',
        VerifiedForSendingStatus: identity.isVerified,
        DkimAttributes: wire.presentDkim(identity),
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
      const { SigningAttributes } = wire.readBody(wire.requests[action], call.body);
      const identity = await identities.change(name, { dkim: dkimOf(SigningAttributes) });
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

function dkimOf(attributes: wire.SigningAttributes): Dkim {
  return ownKey(attributes.DomainSigningSelector, attributes.DomainSigningPrivateKey);
}
