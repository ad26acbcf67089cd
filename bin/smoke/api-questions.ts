/** What API Gateway and Lambda do with requests at their limits. */
import { expectOk, request } from './api-client.ts';
import { asAssumed, differs, type Question } from './question.ts';

export const health: Question = {
  title: 'API Gateway invokes functions by a Lambda permission with the ARN of the API',
  settledBy: [
    asAssumed(/^GET \/health: 200$/, 'it does'),
    differs(/^GET \/health: 500$/, 'API Gateway may not invoke the function'),
  ],
  async ask(deployed) {
    const { status } = await request(deployed, 'GET', '/health', { withKey: false });
    return `GET /health: ${status}`;
  },
};

export const authenticateHeader: Question = {
  title: 'An HTTP API passes the header WWW-Authenticate unchanged',
  settledBy: [
    asAssumed(/^401, www-authenticate: Bearer,/, 'it does'),
    differs(/^401, /, 'the header is renamed or missing'),
  ],
  async ask(deployed) {
    const { status, headers } = await request(deployed, 'GET', '/api/v2/emails', { withKey: false });
    const header = headers.get('www-authenticate');
    const remapped = headers.get('x-amzn-remapped-www-authenticate');
    return `${status}, www-authenticate: ${header}, x-amzn-remapped-www-authenticate: ${remapped}`;
  },
};

/** Above Lambda's 6 MB, below the gateway's 10 MB. */
const largeBytes = 7_000_000;

export const largeRequest: Question = {
  title: 'A request of 7 MB, above the payload limit of Lambda',
  settledBy: [
    asAssumed(/^413 /, 'it is refused as too large'),
    differs(/^(400|422) .*"code"/, 'the function gets it'),
    differs(/^500 .*Internal Server Error/, 'API Gateway answers with an error of its own'),
  ],
  async ask(deployed) {
    const body = { from: 'x', to: 'x', subject: 'x', text: 'x'.repeat(largeBytes) };
    const response = await request(deployed, 'POST', '/api/v2/emails', { body });
    return `${response.status} ${JSON.stringify(response.body).slice(0, 200)}`;
  },
};

export const dnsFromLambda: Question = {
  title: 'A function reaches DNS: the records of an unpublished domain are missing, not unknown',
  settledBy: [
    asAssumed(/\bDKIM missing\b/, 'it does'),
    differs(/\bDKIM pending\b/, 'DNS does not answer the function'),
  ],
  async ask(deployed) {
    const name = `smoke-${deployed.run}.example.com`;
    const created = await expectOk(await request(deployed, 'POST', '/api/v2/domains', { body: { name } }));
    const path = `/api/v2/domains/${String(created.id)}`;
    const verified = await request(deployed, 'POST', `${path}/verify`);
    await request(deployed, 'DELETE', path);
    const { records = [] } = (await expectOk(verified)) as {
      records?: { purpose: string; state: string }[];
    };
    return records.map(({ purpose, state }) => `${purpose} ${state}`).join(', ');
  },
};
