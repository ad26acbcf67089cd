/** The response of version 1 to a deletion. */
import * as z from 'zod';

export const v1SuccessSchema = z
  .strictObject({ success: z.literal(true).describe('Always `true`; a failure has an error body.') })
  .meta({ id: 'V1Success', description: 'The answer to a deletion.' });

export const successV1: z.input<typeof v1SuccessSchema> = { success: true };
