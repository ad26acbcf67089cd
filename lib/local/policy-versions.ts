/** The versions of managed policies, of which one is in force, and the roles whose boundary they are. IAM is one for all regions. */
import { AwsError } from './aws/service.ts';
import { type AccessRequest, isAllowed, type Statement } from './iam.ts';
import type { Journal } from './journal.ts';

/** "IAM and AWS STS quotas": versions of a managed policy. */
const versionsMax = 5;

export interface PolicyVersion {
  /** `v1`, `v2`, … */
  readonly id: string;
  readonly statements: readonly Statement[];
  readonly isDefault: boolean;
}

/** Each method throws AwsError with IAM's code. */
export interface PolicyVersions {
  /** Newest first. */
  list(arn: string): readonly PolicyVersion[];
  create(arn: string, statements: readonly Statement[], isDefault: boolean): PolicyVersion;
  setDefault(arn: string, id: string): void;
  delete(arn: string, id: string): void;
}

export interface Boundaries extends PolicyVersions {
  /** What the templates have: the first version of each policy, unless an earlier run has changed it, and the boundaries of roles. */
  deploy(policies: ReadonlyMap<string, readonly Statement[]>, boundaryOf: ReadonlyMap<string, string>): void;
  /** Whether the boundary of a role, if it has one, allows a request ("Permissions boundaries for IAM entities"). */
  allows(roleArn: string, request: AccessRequest): boolean;
}

/** The last version that was made, and those that are kept. */
interface Policy {
  readonly last: number;
  readonly versions: readonly PolicyVersion[];
}

/** @param journal null: versions do not outlive the process */
export function createBoundaries(journal: Journal | null): Boundaries {
  const policies = journal?.map<Policy>('policy-versions') ?? new Map<string, Policy>();
  let boundaries: ReadonlyMap<string, string> = new Map();
  /** Statements are the same objects as long as a version is in force: their evaluation is cached by them. */
  const inForce = new Map<string, readonly Statement[]>();

  function policyOf(arn: string): Policy {
    const found = policies.get(arn);
    if (!found) throw new AwsError('NoSuchEntity', `Policy ${arn} does not exist or is not attachable.`, 404);
    return found;
  }

  function versionOf(arn: string, id: string): PolicyVersion {
    const found = policyOf(arn).versions.find((version) => version.id === id);
    if (!found) throw new AwsError('NoSuchEntity', `Policy ${arn} version ${id} does not exist.`, 404);
    return found;
  }

  function change(arn: string, policy: Policy): void {
    policies.set(arn, policy);
    inForce.set(arn, policy.versions.find(({ isDefault }) => isDefault)?.statements ?? []);
  }

  const withDefault = (versions: readonly PolicyVersion[], id: string) =>
    versions.map((version) => ({ ...version, isDefault: version.id === id }));

  return {
    deploy(first, boundaryOf) {
      for (const [arn, statements] of first) {
        const kept = policies.get(arn);
        change(arn, kept ?? { last: 1, versions: [{ id: 'v1', statements, isDefault: true }] });
      }
      boundaries = boundaryOf;
    },
    allows(roleArn, request) {
      const arn = boundaries.get(roleArn);
      return arn === undefined || isAllowed(inForce.get(arn) ?? [], request);
    },
    list: (arn) => policyOf(arn).versions,
    create(arn, statements, isDefault) {
      const { last, versions } = policyOf(arn);
      if (versions.length === versionsMax) {
        throw new AwsError(
          'LimitExceeded',
          `A managed policy can have up to ${versionsMax} versions. Before you create a new version, you must delete an existing version.`,
          409,
        );
      }
      const id = `v${last + 1}`;
      const version = { id, statements, isDefault };
      const all = [version, ...versions];
      change(arn, { last: last + 1, versions: isDefault ? withDefault(all, id) : all });
      return version;
    },
    setDefault(arn, id) {
      versionOf(arn, id);
      const { last, versions } = policyOf(arn);
      change(arn, { last, versions: withDefault(versions, id) });
    },
    delete(arn, id) {
      if (versionOf(arn, id).isDefault) {
        throw new AwsError('DeleteConflict', 'Cannot delete the default version of a policy.', 409);
      }
      const { last, versions } = policyOf(arn);
      change(arn, { last, versions: versions.filter((version) => version.id !== id) });
    },
  };
}
