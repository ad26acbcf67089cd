/** The domain identities of one region and their verification in DNS. */
import { AwsError } from '../aws/service.ts';
import { type Dkim, findDkim } from './dkim.ts';
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
  /** Result of the last DNS check with an answer. */
  readonly isVerified: boolean;
  readonly problem: 'TYPE_NOT_FOUND' | 'INVALID_VALUE' | 'DNS_SERVER_ERROR' | null;
  readonly checkedAt: number | null;
  readonly verifiedAt: number | null;
}

export type MailFromStatus = 'SUCCESS' | 'PENDING' | 'FAILED' | 'TEMPORARY_FAILURE';

export interface Identities {
  /** @throws AwsError `AlreadyExistsException` */
  create(name: string, dkim: Dkim, configurationSet: string | null): Promise<Identity>;
  /** Checks DNS first. @throws AwsError `NotFoundException` */
  get(name: string): Promise<Identity>;
  /** @throws AwsError `NotFoundException` */
  change(name: string, change: Partial<Identity>): Promise<Identity>;
  /** @throws AwsError `NotFoundException` */
  remove(name: string): void;
  /** Ordered by name. */
  list(): readonly Identity[];
  /** Adds or replaces an identity that is verified without DNS. */
  addVerified(name: string): void;
  /** The identity of a domain or its closest parent with one, verified or not. */
  nearest(domain: string): Identity | null;
  /** The verified identity of a domain or its closest parent with one; checks DNS first. */
  verified(domain: string): Promise<Identity | null>;
  /** Whether a domain may receive: as `verified`, without a DNS check when already verified. */
  mayReceive(domain: string): Promise<boolean>;
  mailFromStatus(mailFrom: MailFrom): Promise<MailFromStatus>;
}

export function createIdentities(options: {
  readonly region: string;
  readonly now: () => number;
  readonly resolver: Resolver;
  /** Those of an earlier run; default: none. */
  readonly byName?: Map<string, Identity> | undefined;
}): Identities {
  const { region, now, resolver, byName = new Map<string, Identity>() } = options;

  const existing = (name: string): Identity => {
    const identity = byName.get(name.toLowerCase());
    if (identity !== undefined) return identity;
    throw new AwsError('NotFoundException', `Email identity ${name} does not exist.`, 404);
  };

  /** Checks DNS; drops the result when the identity changed meanwhile. */
  const refresh = async (identity: Identity): Promise<Identity> => {
    const finding = await findDkim(identity.name, identity.dkim, resolver);
    const current = byName.get(identity.name);
    if (current?.dkim !== identity.dkim) return current ?? identity;
    const looked = withDkimFinding(current, finding, now());
    byName.set(identity.name, looked);
    return looked;
  };

  const put = async (identity: Identity): Promise<Identity> => {
    byName.set(identity.name, identity);
    return refresh(identity);
  };

  const verified = async (domain: string): Promise<Identity | null> => {
    for (const name of parentDomains(domain)) {
      const identity = byName.get(name);
      if (identity === undefined) continue;
      const looked = await refresh(identity);
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
      return put(newIdentity(domain, dkim, configurationSet));
    },
    get: async (name) => refresh(existing(name)),
    change: async (name, change) => {
      const before = existing(name);
      const isNewKey = change.dkim !== undefined;
      return put({ ...before, ...(isNewKey && { isVerified: false, problem: null }), ...change });
    },
    remove: (name) => {
      byName.delete(existing(name).name);
    },
    list: () => [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    addVerified: (name) => {
      const identity = newIdentity(readDomain(name), { origin: 'LOCAL' }, null);
      byName.set(identity.name, withDkimFinding(identity, 'found', now()));
    },
    nearest: (domain) => parentDomains(domain).flatMap((name) => byName.get(name) ?? [])[0] ?? null,
    verified,
    mayReceive: async (domain) =>
      parentDomains(domain).some((name) => byName.get(name)?.isVerified) || (await verified(domain)) !== null,
    mailFromStatus: async ({ domain }) => {
      const records = await lookUp(resolver.mx(domain));
      if (records === null) return 'TEMPORARY_FAILURE';
      const [first, ...more] = records;
      if (first === undefined) return 'PENDING';
      // Exactly one MX record is allowed (SES developer guide, "Using a custom MAIL FROM domain").
      const isOurs = first.exchange.toLowerCase() === `feedback-smtp.${region}.amazonses.com`;
      return isOurs && more.length === 0 ? 'SUCCESS' : 'FAILED';
    },
  };
}

/** The domain and its parents of two labels or more: `a.b.c`, `b.c`. */
function parentDomains(domain: string): string[] {
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

function withDkimFinding(
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
    throw new AwsError('BadRequestException', 'The local SES supports domain identities only.');
  }
  if (!domainForm.test(domain)) {
    throw new AwsError('BadRequestException', `Invalid domain name ${name}.`);
  }
  return domain;
}
