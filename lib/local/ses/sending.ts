/** SendEmail of one region: the verification of sender, recipients and tenant. */
import { AwsError, type LocalClock } from '../aws/service.ts';
import type { ArnOf } from './arns.ts';
import type { ConfigurationSets } from './configuration-sets.ts';
import type { Identities, Identity } from './identities.ts';
import { defaultReturnPathDomain, newMessageId } from './ids.ts';
import { domainOf, isSimulator } from './outcomes.ts';
import { type SentMail, wireForm } from './sent-mail.ts';
import type { Submission } from './submission.ts';
import type { Tenants } from './tenants.ts';

export interface Sending {
  /** @throws AwsError `MessageRejected`, `NotFoundException`, `MailFromDomainNotVerifiedException` */
  accept(submission: Submission, principal: string): Promise<SentMail>;
}

export interface SendingOptions {
  readonly region: string;
  readonly arnOf: ArnOf;
  readonly clock: Pick<LocalClock, 'now'>;
  readonly identities: Identities;
  /** Sandbox: recipients must be verified too. */
  readonly isSandbox: boolean;
  readonly tenants: Pick<Tenants, 'check'>;
  readonly configurationSets: Pick<ConfigurationSets, 'get'>;
}

export function createSending(options: SendingOptions): Sending {
  const { region, arnOf, clock, identities, configurationSets } = options;

  /** The identity of the first sender; all senders need one, in the sandbox all recipients too. */
  const sendingIdentity = async ({ senders, recipients }: Submission): Promise<Identity> => {
    const checked = options.isSandbox
      ? [...senders, ...recipients.filter((to) => !isSimulator(to))]
      : senders;
    const found = await Promise.all(checked.map((address) => identities.verified(domainOf(address))));
    const unverified = checked.filter((_, index) => found[index] === null);
    const [identity] = found;
    if (unverified.length === 0 && identity) return identity;
    throw new AwsError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${unverified.join(', ')}`,
    );
  };

  const returnPathDomain = async ({ mailFrom }: Identity): Promise<string> => {
    if (mailFrom === null) return defaultReturnPathDomain(region);
    if ((await identities.mailFromStatus(mailFrom)) === 'SUCCESS') return mailFrom.domain;
    if (mailFrom.onMxFailure === 'USE_DEFAULT_VALUE') return defaultReturnPathDomain(region);
    throw new AwsError(
      'MailFromDomainNotVerifiedException',
      `The MAIL FROM domain ${mailFrom.domain} is not verified.`,
    );
  };

  return {
    accept: async (submission, principal) => {
      const { configurationSet } = submission;
      if (configurationSet !== null && configurationSets.get(configurationSet) === undefined) {
        throw new AwsError(
          'NotFoundException',
          `Configuration set <${configurationSet}> does not exist.`,
          404,
        );
      }
      const identity = await sendingIdentity(submission);
      if (submission.tenant !== null) {
        const set = configurationSet ?? identity.configurationSet;
        options.tenants.check(submission.tenant, [
          arnOf(`identity/${identity.name}`),
          ...(set === null ? [] : [arnOf(`configuration-set/${set}`)]),
        ]);
      }
      const domain = await returnPathDomain(identity);
      const at = clock.now();
      const id = newMessageId(region, at);
      return {
        ...submission,
        configurationSet: configurationSet ?? identity.configurationSet,
        id,
        region,
        at,
        principal,
        identity: identity.name,
        returnPath: `${id}@${domain}`,
        wire: wireForm(submission.raw, { id, region, at }),
      };
    },
  };
}
