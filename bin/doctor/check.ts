/** The form of the doctor's checks: one question about the account each, answered in a sentence. */
import type { Names } from '../../lib/constructs/names.ts';

/** What is examined. */
export interface Examined {
  /** The regions that send and receive. */
  readonly mailRegions: readonly string[];
  readonly homeRegion: string;
  /** null before the deployment. */
  readonly deployment: Deployment | null;
}

/** A deployment, by the environment of its functions. */
export interface Deployment {
  readonly names: Names;
  /** The URLs of the queues by name. */
  readonly queueUrls: Readonly<Record<string, string>>;
  /** The setting of this name; empty: the API has API Gateway's own host. */
  readonly apiBaseUrl: string;
  /** Empty: none. */
  readonly providedDomain: string;
  /** The region of the provided domain. */
  readonly defaultRegion: string;
  /** The setting of this name. */
  readonly lambdaConcurrency: number;
  /** Whether it uses the copies of another home region. */
  readonly isStandby: boolean;
  /** DNS servers to ask; empty: the system's. */
  readonly dnsServers: readonly string[];
}

export interface Finding {
  /** `warning`: the deployment works, with a limit or a risk. */
  readonly status: 'ok' | 'warning' | 'failure';
  /** What was found, one sentence. */
  readonly found: string;
  /** What to do; absent where nothing is to be done. */
  readonly todo?: string;
  /** Of the call that AWS did not answer. */
  readonly requestId?: string;
}

export interface Check {
  /** What is examined, a few words. */
  readonly title: string;
  /** Checks of a deployment are left out before it exists. */
  readonly needs: 'account' | 'deployment';
  /** One after the other with others of this kind: SES limits management calls to one a second. */
  readonly managesSes?: true;
  /** @throws where AWS does not answer; that is a failure of this check */
  examine(examined: Examined): Promise<Finding[]>;
}

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warning = (found: string, todo: string): Finding => ({ status: 'warning', found, todo });
export const failure = (found: string, todo: string): Finding => ({ status: 'failure', found, todo });

/** The findings of each region, one after the other: SES limits management calls to one a second. */
export async function ofEachRegion(
  { mailRegions }: Examined,
  examine: (region: string) => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const region of mailRegions) findings.push(...(await examine(region)));
  return findings;
}

/** The deployment of a check that needs one. */
export function deploymentOf({ deployment }: Examined): Deployment {
  if (!deployment) throw new Error('this check needs a deployment');
  return deployment;
}
