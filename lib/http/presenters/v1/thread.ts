/** The thread record of version 1 (docs/concepts/v1.md#threads). */
import * as z from 'zod';
import { createdAt, idSchema } from '../../schemas.ts';
import { v1EmailSchema } from './email.ts';
import { v1Subject } from './fields.ts';

export const v1ThreadSchema = z
  .strictObject({
    id: idSchema('thr'),
    createdAt,
    subject: v1Subject,
    emails: z
      .array(v1EmailSchema)
      .describe('Emails and drafts, oldest first: the newest 200, or as many as fit into 4 MB.'),
  })
  .meta({ id: 'V1Thread', description: 'A conversation with its emails and drafts.' });
