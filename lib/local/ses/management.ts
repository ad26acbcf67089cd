/** The management calls of SES v2, which are about identities: everything but SendEmail. */
import { type AwsCall, AwsError, type AwsResponse } from '../aws/service.ts';
import { type Dkim, easyDkim, ownKey } from './dkim.ts';
import type { Identities } from './identities.ts';
import * as wire from './wire.ts';

/** @throws AwsRefusal as SES does for each call */
export async function manage(
  action: Exclude<wire.SesAction, 'SendEmail'>,
  call: AwsCall,
  identities: Identities,
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
      return wire.answer({
        IdentityType: 'DOMAIN',
        VerifiedForSendingStatus: identity.isVerified,
        DkimAttributes: wire.shownDkim(identity),
      });
    }
    case 'ListEmailIdentities': {
      const { PageSize, NextToken = '' } = wire.readBody(wire.requests[action], call.body);
      const rest = identities.list().filter((identity) => identity.name > NextToken);
      const page = rest.slice(0, PageSize);
      return wire.answer({
        EmailIdentities: page.map(wire.listedIdentity),
        ...(rest.length > PageSize && { NextToken: page.at(-1)?.name }),
      });
    }
    case 'GetEmailIdentity': {
      const identity = await identities.get(name);
      const status = identity.mailFrom && (await identities.mailFromStatus(identity.mailFrom));
      return wire.answer(wire.shownIdentity(identity, status));
    }
    case 'DeleteEmailIdentity':
      identities.remove(name);
      return wire.answer();
    case 'PutEmailIdentityDkimAttributes': {
      const { SigningEnabled } = wire.readBody(wire.requests[action], call.body);
      await identities.change(name, { isSigning: SigningEnabled });
      return wire.answer();
    }
    case 'PutEmailIdentityDkimSigningAttributes': {
      const { SigningAttributesOrigin, SigningAttributes } = wire.readBody(wire.requests[action], call.body);
      const dkim = SigningAttributes
        ? dkimOf(SigningAttributes, call.region, name)
        : easyDkim(call.region, name);
      if ((dkim.origin === 'EXTERNAL') !== (SigningAttributesOrigin === 'EXTERNAL')) {
        throw new AwsError('BadRequestException', 'SigningAttributes do not fit SigningAttributesOrigin.');
      }
      const identity = await identities.change(name, { dkim });
      const { Status, Tokens } = wire.shownDkim(identity);
      return wire.answer({ DkimStatus: Status, DkimTokens: Tokens });
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
      return wire.answer();
    }
    case 'PutEmailIdentityConfigurationSetAttributes': {
      const { ConfigurationSetName } = wire.readBody(wire.requests[action], call.body);
      await identities.change(name, { configurationSet: ConfigurationSetName ?? null });
      return wire.answer();
    }
  }
}

function dkimOf(attributes: wire.SigningAttributes, region: string, domain: string): Dkim {
  return 'DomainSigningSelector' in attributes
    ? ownKey(attributes.DomainSigningSelector, attributes.DomainSigningPrivateKey)
    : easyDkim(region, domain);
}
