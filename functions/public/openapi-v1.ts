/** `GET /api/v1/openapi.json`. */
import { serveOpenApi } from '../../lib/http/pages/openapi-document.ts';
import { groups, operations } from '../operations.ts';

export const handler = serveOpenApi('openapi-v1', { operations, groups, version: 1 });
