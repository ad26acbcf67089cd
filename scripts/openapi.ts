/** `npm run openapi`: writes the OpenAPI documents to `docs/openapi/`, and the table of event types in `docs/concepts/webhooks.md`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, operations } from '../functions/operations.ts';
import { exampleDeployment, openApiDocument } from '../lib/http/openapi.ts';
import { withEventTypeRows } from './event-type-rows.ts';

const folder = join(import.meta.dirname, '../docs/openapi');
mkdirSync(folder, { recursive: true });
for (const version of [1, 2] as const) {
  const document = openApiDocument({ operations, groups, version }, exampleDeployment);
  writeFileSync(join(folder, `v${version}.json`), `${JSON.stringify(document, null, 2)}\n`);
}

const page = join(import.meta.dirname, '../docs/concepts/webhooks.md');
writeFileSync(page, withEventTypeRows(readFileSync(page, 'utf8')));
