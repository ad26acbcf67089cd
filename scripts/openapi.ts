/** `npm run openapi`: writes the OpenAPI document to `docs/openapi/v2.json`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groups, operations } from '../functions/operations.ts';
import { exampleDeployment, openApiDocument } from '../lib/http/openapi.ts';

const file = join(import.meta.dirname, '../docs/openapi/v2.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(
  file,
  `${JSON.stringify(openApiDocument({ operations, groups }, exampleDeployment), null, 2)}\n`,
);
