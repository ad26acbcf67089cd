/** The domain identities of one region: who may send from and receive at a domain, checked against DNS. */
import { AwsError } from '../aws/service.ts';
import { type Dkim, easyDkim, findDkim } from './dkim.ts';
import { lookUp, type Resolver } from './resolver.ts';

export interface MailFrom {
  readonly domain: string;
  readonly onMxFailure: 'USE_DEFAULT_VALUE' | 'REJECT_MESSAGE';
}

export interface Identity {
  readonly name: string;
  readonly dkim: Dkim;
  readonly isSigning: boolean;
  readonly mailFrom: MailFrom | null;
  readonly configurationSet: string | null;
  /** Of the last look that DNS answered. */
  readonly isVerified: boolean;
  readonly problem: 'TYPE_NOT_FOUND' | 'INVALID_VALUE' | 'DNS_SERVER_ERROR' | null;
  readonly checkedAt: number | null;
  readonly verifiedAt: number | null;
}

export type MailFromStatus = 'SUCCESS' | 'PENDING' | 'FAILED' | 'TEMPORARY_FAILURE';

export interface Identities {
  /** @throws AwsRefusal `AlreadyExistsException` */
  create(name: string, dkim: Dkim | null, configurationSet: string | null): Promise<Identity>;
  /** After a fresh look at DNS. @throws AwsRefusal `NotFoundException` */
  get(name: string): Promise<Identity>;
  /** @throws AwsRefusal `NotFoundException` */
  change(name: string, change: Partial<Identity>): Promise<Identity>;
  /** @throws AwsRefusal `NotFoundException` */
  remove(name: string): void;
  /** By name. */
  list(): readonly Identity[];
  /** Adds or overrides an identity that needs no DNS. */
  trust(name: string): void;
  /** Puts back what `list` gave before a restart. */
  restore(identities: readonly Identity[]): void;
  /** The nearest identity at or above a domain, verified or not. */
  nearest(domain: string): Identity | null;
  /** The nearest verified identity at or above a domain, after a fresh look at DNS. */
  verified(domain: string): Promise<Identity | null>;
  /** Whether a domain may receive: as `verified`, but what was once verified is not looked up again. */
  mayReceive(domain: string): Promise<boolean>;
  mailFromStatus(mailFrom: MailFrom): Promise<MailFromStatus>;
}

export function createIdentities(options: {
  readonly region: string;
  readonly now: () => number;
  readonly resolver: Resolver;
}): Identities {
  const { region, now, resolver } = options;
  const byName = new Map<string, Identity>();

  const existing = (name: string): Identity => {
    const identity = byName.get(name.toLowerCase());
    if (identity !== undefined) return identity;
    throw new AwsError('NotFoundException', `Email identity ${name} does not exist.`, 404);
  };

  /** Nothing is written where the identity was changed or removed during the look-up. */
  const look = async (identity: Identity): Promise<Identity> => {
    const finding = await findDkim(identity.name, identity.dkim, resolver);
    const current = byName.get(identity.name);
    if (current?.dkim !== identity.dkim) return current ?? identity;
    const looked = withFinding(current, finding, now());
    byName.set(identity.name, looked);
    return looked;
  };

  const put = async (identity: Identity): Promise<Identity> => {
    byName.set(identity.name, identity);
    return look(identity);
  };

  const verified = async (domain: string): Promise<Identity | null> => {
    for (const name of lineage(domain)) {
      const identity = byName.get(name);
      if (identity === undefined) continue;
      const looked = await look(identity);
      if (looked.isVerified) return looked;
    }
    return null;
  };

  return {
    create: async (name, dkim, configurationSet) => {
      const domain = readDomain(name);
      if (byName.has(domain)) {
        throw new AwsError('AlreadyExistsException', `Email identity ${domain} already exists.`);
      }
      return put(newIdentity(domain, dkim ?? easyDkim(region, domain), configurationSet));
    },
    get: async (name) => look(existing(name)),
    change: async (name, change) => {
      const before = existing(name);
      const isNewKey = change.dkim !== undefined;
      return put({ ...before, ...(isNewKey && { isVerified: false, problem: null }), ...change });
    },
    remove: (name) => {
      byName.delete(existing(name).name);
    },
    list: () => [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    trust: (name) => {
      const identity = newIdentity(readDomain(name), { origin: 'LOCAL' }, null);
      byName.set(identity.name, withFinding(identity, 'found', now()));
    },
    restore: (identities) => {
      for (const identity of identities) byName.set(identity.name, identity);
    },
    nearest: (domain) => lineage(domain).flatMap((name) => byName.get(name) ?? [])[0] ?? null,
    verified,
    mayReceive: async (domain) =>
      lineage(domain).some((name) => byName.get(name)?.isVerified) || (await verified(domain)) !== null,
    mailFromStatus: async ({ domain }) => {
      const records = await lookUp(resolver.mx(domain));
      if (records === null) return 'TEMPORARY_FAILURE';
      const [first, ...more] = records;
      if (first === undefined) return 'PENDING';
      // Exactly one MX may stand there (SES developer guide, "custom MAIL FROM domain").
      const isOurs = first.exchange.toLowerCase() === `feedback-smtp.${region}.amazonses.com`;
      return isOurs && more.length === 0 ? 'SUCCESS' : 'FAILED';
    },
  };
}

/** The domain and those above it, down to two labels: `a.b.c` gives `a.b.c`, `b.c`. */
function lineage(domain: string): string[] {
  const labels = domain.toLowerCase().split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

function newIdentity(name: string, dkim: Dkim, configurationSet: string | null): Identity {
  return {
    name,
    dkim,
    isSigning: true,
    mailFrom: null,
    configurationSet,
    isVerified: false,
    problem: null,
    checkedAt: null,
    verifiedAt: null,
  };
}

function withFinding(
  identity: Identity,
  finding: Awaited<ReturnType<typeof findDkim>>,
  atMs: number,
): Identity {
  const checked = { ...identity, checkedAt: atMs };
  switch (finding) {
    case 'found':
      return { ...checked, isVerified: true, problem: null, verifiedAt: atMs };
    case 'missing':
      return { ...checked, isVerified: false, problem: 'TYPE_NOT_FOUND' };
    case 'wrong':
      return { ...checked, isVerified: false, problem: 'INVALID_VALUE' };
    case 'unknown':
      return { ...checked, problem: 'DNS_SERVER_ERROR' };
  }
}

const domainForm = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

function readDomain(name: string): string {
  const domain = name.toLowerCase();
  if (domain.includes('@')) {
    throw new AwsError(
      'BadRequestException',
      'The local SES holds domains only: nobody would follow the link in the mail that verifies an address.',
    );
  }
  if (!domainForm.test(domain)) {
    throw new AwsError('BadRequestException', `Invalid domain name ${name}.`);
  }
  return domain;
}
