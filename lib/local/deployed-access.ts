/** What services ask the deployment, which comes after them: policies, permissions and functions. */
import { type AccessControl, createAccessControl, type Policies } from './access-control.ts';
import type { NeededPermission } from './aws/service.ts';
import type { DeployedFunction } from './deploy.ts';
import type { Functions } from './functions.ts';
import type { Journal } from './journal.ts';
import { type Boundaries, createBoundaries } from './policy-versions.ts';
import type { ServicesOptions } from './services.ts';

/** Nothing is allowed before policies and functions are set. */
export interface DeployedAccess extends Pick<ServicesOptions, 'authorize' | 'functionOf' | 'invoke'> {
  readonly access: AccessControl;
  /** Under the policies of the templates alone: what AWS has checked when a resource was made. */
  readonly accessOfTemplates: Pick<AccessControl, 'mayAssume' | 'roleMay'>;
  readonly boundaries: Boundaries;
  setPolicies(policies: Policies): void;
  /** Of several of one name, each role allows: an invocation that began before an update has the role of then. */
  setFunctions(functions: readonly DeployedFunction[]): void;
  setInvoke(invoke: Functions['invoke']): void;
  readonly denials: Denials;
  /** Further principals, by their access key id: whether each has a permission. */
  readonly principals: Map<string, (needed: NeededPermission) => boolean>;
}

/** Permissions that somebody has taken away after the deployment, from roles and services alike. */
export interface Denials {
  deny(action: string, resource: string): void;
  /** Ends a denial. */
  allow(action: string, resource: string): void;
  has(action: string, resource: string): boolean;
}

/** @param journal null: changed boundaries do not outlive the process */
export function createDeployedAccess(journal: Journal | null): DeployedAccess {
  let policies = createAccessControl({ identity: new Map(), trust: new Map(), resource: new Map() });
  let functions: ReadonlyMap<string, readonly DeployedFunction[]> = new Map();
  let invoke: Functions['invoke'] = async () => {
    throw new Error('no function has started');
  };
  const denials = createDenials();
  const boundaries = createBoundaries(journal);
  const principals: DeployedAccess['principals'] = new Map();
  const access: AccessControl = {
    roleMay: (role, request) =>
      !denials.has(request.action, request.resource) &&
      boundaries.allows(role, request) &&
      policies.roleMay(role, request),
    serviceMay: (caller, action, resource) =>
      !denials.has(action, resource) && policies.serviceMay(caller, action, resource),
    mayAssume: (...request) => policies.mayAssume(...request),
    policyOf: (arn) => policies.policyOf(arn),
  };
  return {
    access,
    accessOfTemplates: {
      mayAssume: (...request) => policies.mayAssume(...request),
      roleMay: (...request) => policies.roleMay(...request),
    },
    boundaries,
    denials,
    principals,
    // Functions sign with their name as access key id; the name selects the role.
    authorize: (name, needed) =>
      principals.get(name)?.(needed) ??
      (functions.get(name) ?? []).some(({ roleArn }) => access.roleMay(roleArn, needed)),
    functionOf: (name) => functions.get(name)?.[0] ?? null,
    invoke: (...call) => invoke(...call),
    setPolicies: (deployed) => {
      policies = createAccessControl(deployed);
    },
    setFunctions: (deployed) => {
      functions = Map.groupBy(deployed, ({ name }) => name);
    },
    setInvoke: (started) => {
      invoke = started;
    },
  };
}

function createDenials(): Denials {
  const denied = new Set<string>();
  const key = (action: string, resource: string) => `${action} ${resource}`;
  return {
    deny: (action, resource) => void denied.add(key(action, resource)),
    allow: (action, resource) => void denied.delete(key(action, resource)),
    // Of an object, also what its bucket is denied.
    has: (action, resource) =>
      denied.has(key(action, resource)) || denied.has(key(action, `${resource.split('/', 1)[0]}/*`)),
  };
}
