/** Contract of `GET /suppressions/{suppression_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { suppressionSchema } from '../../lib/http/presenters/suppression.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveSuppressionOperation = operation({
  id: 'suppressions.retrieve',
  method: 'GET',
  path: '/api/v2/suppressions/{suppression_id}',
  summary: 'Retrieve a suppression',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ suppression_id: idSchema('sup') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The suppression.', body: suppressionSchema } },
  problems: [],
});
