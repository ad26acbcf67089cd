/**
 * SES tenants ("Tenants", Amazon SES Developer Guide): SES counts the reputation of each by itself, and pauses one without
 * the others. A tenant sends with the identities and configuration sets that are associated with it.
 */
import {
  AlreadyExistsException,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  DeleteTenantCommand,
  DeleteTenantResourceAssociationCommand,
  GetTenantCommand,
  ListResourceTenantsCommand,
  NotFoundException,
} from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';
import { paced } from './ses-management.ts';

function arnOf(region: string, resource: string): string {
  const account = env().SECRETS_KEY_ARN.split(':')[4] ?? '';
  return `arn:aws:ses:${region}:${account}:${resource}`;
}

/** Lets a tenant, which is created when missing, send with an identity and our configuration set. */
export async function associateIdentity(region: string, tenant: string, identity: string): Promise<void> {
  await unlessExists(() =>
    paced(region, (client) => client.send(new CreateTenantCommand({ TenantName: tenant }))),
  );
  for (const resource of [`configuration-set/${env().CONFIGURATION_SET}`, `identity/${identity}`]) {
    const association = { TenantName: tenant, ResourceArn: arnOf(region, resource) };
    await unlessExists(() =>
      paced(region, (client) => client.send(new CreateTenantResourceAssociationCommand(association))),
    );
  }
}

/** Ends an association; a missing one is not an error. */
export async function dissociateIdentity(region: string, tenant: string, identity: string): Promise<void> {
  const association = { TenantName: tenant, ResourceArn: arnOf(region, `identity/${identity}`) };
  await unlessMissing(() =>
    paced(region, (client) => client.send(new DeleteTenantResourceAssociationCommand(association))),
  );
}

/** The first tenants that are associated with an identity: SES deletes no identity that has any. */
export async function tenantsOf(region: string, identity: string): Promise<string[]> {
  const ResourceArn = arnOf(region, `identity/${identity}`);
  const answer = await unlessMissing(() =>
    paced(region, (client) => client.send(new ListResourceTenantsCommand({ ResourceArn }))),
  );
  return (answer?.ResourceTenants ?? []).flatMap(({ TenantName }) => TenantName ?? []);
}

/** Whether SES, or somebody in its console, has paused a tenant. */
export async function isTenantPaused(region: string, tenant: string): Promise<boolean> {
  const answer = await unlessMissing(() =>
    paced(region, (client) => client.send(new GetTenantCommand({ TenantName: tenant }))),
  );
  return answer?.Tenant?.SendingStatus === 'DISABLED';
}

/** Deletes a tenant with its associations; a missing one is not an error. */
export async function deleteTenant(region: string, tenant: string): Promise<void> {
  await unlessMissing(() =>
    paced(region, (client) => client.send(new DeleteTenantCommand({ TenantName: tenant }))),
  );
}

async function unlessExists(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof AlreadyExistsException)) throw error;
  }
}

async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}
