/** The tenants of one region ("Tenants", Amazon SES Developer Guide). Reputation findings are not modelled. */
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/service.ts';

export interface Tenant {
  readonly name: string;
  readonly arn: string;
  readonly isPaused: boolean;
  readonly createdAt: number;
  /** ARNs of associated resources. */
  readonly resources: readonly string[];
}

export interface Tenants {
  /** @throws AwsError `AlreadyExistsException` */
  create(name: string): Tenant;
  /** @throws AwsError `NotFoundException` */
  get(name: string): Tenant;
  /** With its associations. @throws AwsError `NotFoundException` */
  remove(name: string): void;
  /** Pauses the sending of a tenant, or ends the pause. @throws AwsError `NotFoundException` */
  pause(name: string, isPaused: boolean): void;
  /** @throws AwsError `AlreadyExistsException`, `NotFoundException` */
  associate(name: string, resource: string): void;
  /** @throws AwsError `NotFoundException` */
  dissociate(name: string, resource: string): void;
  /** The tenants that are associated with a resource, ordered by name. */
  ofResource(resource: string): Tenant[];
  list(): Tenant[];
  /**
   * Checks a submission for a tenant. SES documents that it fails, not with which error.
   *
   * @throws AwsError `BadRequestException` for a missing association, `SendingPausedException`
   */
  check(name: string, resources: readonly string[]): void;
}

const nameForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * @param arnOf ARN of a resource of the region
 * @param now Unix milliseconds
 * @param byName those of an earlier run
 */
export function createTenants(
  arnOf: (resource: string) => string,
  now: () => number,
  byName = new Map<string, Tenant>(),
): Tenants {
  const get = (name: string): Tenant => {
    const tenant = byName.get(name);
    if (tenant) return tenant;
    throw new AwsError('NotFoundException', `Tenant <${name}> does not exist.`, 404);
  };
  const ordered = () => [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

  return {
    create: (name) => {
      if (!nameForm.test(name)) throw new AwsError('BadRequestException', `Invalid tenant name <${name}>.`);
      if (byName.has(name)) throw new AwsError('AlreadyExistsException', `Tenant <${name}> already exists.`);
      const arn = arnOf(`tenant/${name}/tn-${randomUUID()}`);
      const tenant: Tenant = { name, arn, isPaused: false, createdAt: now(), resources: [] };
      byName.set(name, tenant);
      return tenant;
    },
    get,
    remove: (name) => {
      byName.delete(get(name).name);
    },
    pause: (name, isPaused) => {
      byName.set(name, { ...get(name), isPaused });
    },
    associate: (name, resource) => {
      const tenant = get(name);
      if (tenant.resources.includes(resource)) {
        throw new AwsError('AlreadyExistsException', `Resource <${resource}> is already associated.`);
      }
      byName.set(name, { ...tenant, resources: [...tenant.resources, resource] });
    },
    dissociate: (name, resource) => {
      const tenant = get(name);
      if (!tenant.resources.includes(resource)) {
        throw new AwsError('NotFoundException', `Resource <${resource}> is not associated.`, 404);
      }
      byName.set(name, {
        ...tenant,
        resources: tenant.resources.filter((other) => other !== resource),
      });
    },
    ofResource: (resource) => ordered().filter(({ resources }) => resources.includes(resource)),
    list: ordered,
    check: (name, resources) => {
      const tenant = get(name);
      const missing = resources.find((resource) => !tenant.resources.includes(resource));
      if (missing) {
        throw new AwsError('BadRequestException', `Tenant <${name}> is not associated with <${missing}>.`);
      }
      if (tenant.isPaused) {
        throw new AwsError('SendingPausedException', `Sending is paused for tenant <${name}>.`);
      }
    },
  };
}
