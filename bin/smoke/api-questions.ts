/** What API Gateway and Lambda do with requests at their limits. */
import { expectOk, request } from './api-client.ts';
import { asAssumed, notAsked, type Question } from './question.ts';

export const health: Question = {
  title: 'API Gateway invokes functions by a Lambda permission with the ARN of the API',
  async ask(deployed) {
    const { status } = await request(deployed, 'GET', '/health', { withKey: false });
    return asAssumed(status === 200, `GET /health: ${status}`);
  },
};

export const authenticateHeader: Question = {
  title: 'An HTTP API passes the header WWW-Authenticate unchanged',
  async ask(deployed) {
    const { status, headers } = await request(deployed, 'GET', '/api/v2/emails', { withKey: false });
    const header = headers.get('www-authenticate');
    const remapped = headers.get('x-amzn-remapped-www-authenticate');
    return asAssumed(
      status === 401 && header === 'Bearer',
      `${status}, www-authenticate: ${header}, x-amzn-remapped-www-authenticate: ${remapped}`,
    );
  },
};

/** Above Lambda's 6 MB, below the gateway's 10 MB. */
const largeBytes = 7_000_000;

export const largeRequest: Question = {
  title: 'A request of 7 MB, above the payload limit of Lambda',
  async ask(deployed) {
    const body = { from: 'x', to: 'x', subject: 'x', text: 'x'.repeat(largeBytes) };
    const response = await request(deployed, 'POST', '/api/v2/emails', { body });
    const { status } = response;
    return asAssumed(status === 413, `${status} ${JSON.stringify(response.body).slice(0, 200)}`);
  },
};

export const dnsFromLambda: Question = {
  title: 'A function reaches DNS: the records of an unpublished domain are missing, not unknown',
  async ask(deployed) {
    const name = `smoke-${deployed.run}.example.com`;
    const created = await expectOk(await request(deployed, 'POST', '/api/v2/domains', { body: { name } }));
    const path = `/api/v2/domains/${String(created.id)}`;
    const verified = await request(deployed, 'POST', `${path}/verify`);
    await request(deployed, 'DELETE', path);
    const { records = [] } = (await expectOk(verified)) as {
      records?: { purpose: string; state: string }[];
    };
    const states = records.map(({ purpose, state }) => `${purpose} ${state}`);
    return asAssumed(
      records.some(({ purpose, state }) => purpose === 'DKIM' && state === 'missing'),
      states.join(', '),
    );
  },
};

export const unused: readonly Question[] = [
  {
    title: 'Recipients of a receipt rule: 100 or 500',
    ask: async () => notAsked('Not used: the one rule of the deployment has no recipients.'),
  },
  {
    title: 'SES tenants: price, and sending without TenantName',
    ask: async () => notAsked('Not used: the deployment creates no tenants.'),
  },
];
