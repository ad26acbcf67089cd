/** Contract of `HEAD /attachments/{attachment_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const inspectAttachmentOperation = operation({
  id: 'attachments.inspect',
  method: 'HEAD',
  path: '/api/v2/attachments/{attachment_id}',
  summary: 'Ask for the type, size and name of an attachment',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  answers: {
    200: {
      description: 'The attachment exists.',
      body: null,
      headers: {
        'Content-Type': 'Its media type, as the message declares it.',
        'Content-Length': 'Its size in bytes.',
        'Content-Disposition': 'Its file name (RFC 6266).',
      },
    },
  },
  problems: [],
});
