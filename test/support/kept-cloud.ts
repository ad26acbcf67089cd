/** A local cloud with a data folder as a process, which a test kills: prints its addresses and a key as a line of JSON. */
import { startCloud } from '../../lib/local/cloud.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { createWorkspace, findWorkspace } from '../../lib/services/workspaces/workspaces.ts';

const [, , dataFolder = ''] = process.argv;
const slug = 'kept';
const cloud = await startCloud({ dataFolder });
Object.assign(process.env, cloud.environment);
const { id } = (await findWorkspace(slug)) ?? (await createWorkspace({ slug, name: 'Kept' }));
const { token } = await createKey(id, { name: 'test', scope: 'full' });
const { baseUrl, controlUrl, smtpPort, providedDomain } = cloud;
console.log(JSON.stringify({ baseUrl, controlUrl, smtpPort, token, domain: `${slug}.${providedDomain}` }));
