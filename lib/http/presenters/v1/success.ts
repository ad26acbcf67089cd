/** The response of version 1 to a deletion. */
import * as z from 'zod';

export const v1SuccessSchema = z.strictObject({ success: z.literal(true) }).meta({ id: 'V1Success' });

export const successV1: z.input<typeof v1SuccessSchema> = { success: true };
