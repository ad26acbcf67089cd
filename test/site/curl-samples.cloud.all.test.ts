/** The samples in curl of the reference, run by a shell against the local cloud. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';
import { readDocument } from '../../lib/site/reference/document.ts';
import { exampleOrigin, samplesOf } from '../../lib/site/reference/samples.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

const run = promisify(execFile);

/** What an answer can be when the ids of a sample are those of nothing. */
const isExpected = (status: number) => (status >= 200 && status < 400) || status === 404 || status === 409;
/** The addresses of the samples are on no domain of the workspace, their times are past, and shared apps need `app_id`. */
const expectedReasons =
  /"code":"(?:sender_unknown|shared_apps_disabled|return_url_not_registered)"|acme\.dev is not a domain of this workspace|scheduled_at is out of range/;

describe.each([1, 2] as const)('curl samples of version %d', (version) => {
  const document = readDocument(
    openApiDocument({ operations, groups, version }, exampleDeployment),
    new Map(),
  );
  const all = document.groups.flatMap((group) => group.operations);

  it('are requests that the API takes', async () => {
    const { key } = await workspace();
    const origin = new URL(cloud().baseUrl).origin;
    const refused: string[] = [];
    for (const operation of all) {
      const [sample] = samplesOf(operation, document.version);
      const command = `${sample?.code.replaceAll(exampleOrigin, origin).replace(' --output file', ' --output /dev/null')} -s -w '\\n%{http_code}'`;
      const { stdout } = await run('sh', ['-c', command], {
        env: { PATH: process.env.PATH, PARLEY_API_KEY: key, PARLEY_BASE_URL: `${origin}/api/v2` },
      });
      const [, text = '', status = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
      if (!isExpected(Number(status)) && !expectedReasons.test(text))
        refused.push(`${operation.id}: ${stdout}`);
    }
    expect(refused).toEqual([]);
  });
});
