/** Contract of `HEAD /attachments/{attachment_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const inspectAttachmentOperation = operation({
  id: 'attachments.inspect',
  method: 'HEAD',
  path: '/api/v2/attachments/{attachment_id}',
  summary: 'Retrieve the type, size and name of an attachment',
  description: 'Returns the media type, size and file name as headers, without a body.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The attachment exists.',
      body: null,
      headers: {
        'Content-Type': 'The media type that the message declares.',
        'Content-Length': 'The size in bytes.',
        'Content-Disposition': 'The file name (RFC 6266).',
      },
    },
  },
  problems: [],
});
