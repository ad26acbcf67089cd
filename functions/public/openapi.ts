/** `GET /api/v2/openapi.json`. */
import { serveOpenApi } from '../../lib/http/pages/openapi-document.ts';
import { groups, operations } from '../operations.ts';

export const handler = serveOpenApi('openapi', { operations, groups, version: 2 });
