/** What services ask the deployment, which comes after them: policies, permissions and functions. */
import { type AccessControl, createAccessControl, type Policies } from './access-control.ts';
import type { DeployedFunction } from './deploy.ts';
import type { Functions } from './functions.ts';
import type { ServicesOptions } from './services.ts';

/** Nothing is allowed before policies and functions are set. */
export interface DeployedAccess extends Pick<ServicesOptions, 'authorize' | 'functionOf' | 'invoke'> {
  readonly access: AccessControl;
  setPolicies(policies: Policies): void;
  setFunctions(functions: readonly DeployedFunction[]): void;
  setInvoke(invoke: Functions['invoke']): void;
}

export function createDeployedAccess(): DeployedAccess {
  let policies = createAccessControl({ identity: new Map(), trust: new Map(), resource: new Map() });
  let functions: ReadonlyMap<string, DeployedFunction> = new Map();
  let invoke: Functions['invoke'] = async () => {
    throw new Error('no function has started');
  };
  const access: AccessControl = {
    roleMay: (...request) => policies.roleMay(...request),
    serviceMay: (...request) => policies.serviceMay(...request),
    mayAssume: (...request) => policies.mayAssume(...request),
    policyOf: (arn) => policies.policyOf(arn),
  };
  return {
    access,
    // Functions sign with their name as access key id; the name selects the role.
    authorize: (name, needed) => access.roleMay(functions.get(name)?.roleArn ?? '', needed),
    functionOf: (name) => functions.get(name) ?? null,
    invoke: (...call) => invoke(...call),
    setPolicies: (deployed) => {
      policies = createAccessControl(deployed);
    },
    setFunctions: (deployed) => {
      functions = new Map(deployed.map((each) => [each.name, each]));
    },
    setInvoke: (started) => {
      invoke = started;
    },
  };
}
