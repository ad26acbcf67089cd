/** `npm run openapi`: writes the OpenAPI documents to `docs/openapi/v1.json` and `docs/openapi/v2.json`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, operations } from '../functions/operations.ts';
import { exampleDeployment, openApiDocument } from '../lib/http/openapi.ts';

const folder = join(import.meta.dirname, '../docs/openapi');
mkdirSync(folder, { recursive: true });
for (const version of [1, 2] as const) {
  const document = openApiDocument({ operations, groups, version }, exampleDeployment);
  writeFileSync(join(folder, `v${version}.json`), `${JSON.stringify(document, null, 2)}\n`);
}
