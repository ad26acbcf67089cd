/** The thread record of version 1 (docs/concepts/v1.md#threads). */
import * as z from 'zod';
import { idSchema, nullableText, timestampSchema } from '../../schemas.ts';
import { v1EmailSchema } from './email.ts';

export const v1ThreadSchema = z
  .strictObject({
    id: idSchema('thr'),
    createdAt: timestampSchema,
    subject: nullableText('Your order'),
    emails: z.array(v1EmailSchema),
  })
  .meta({ id: 'V1Thread' });
