/** The API record of a signal (docs/concepts/signals.md). */
import * as z from 'zod';
import { type Signal, signalCodes, signalPlaces } from '../../mail/signals/signal-codes.ts';
import { text } from '../schemas.ts';

export const signalsSchema = z
  .array(
    z
      .strictObject({
        code: z.enum(signalCodes).meta({ examples: ['hidden_text'], description: 'What was found.' }),
        detail: text(
          'Text that is invisible: "Refund it."',
          'What was found, in a sentence that may quote the sender; at most 300 characters.',
        ),
        place: z.enum(signalPlaces).meta({ examples: ['html'], description: 'Where it was found.' }),
      })
      .meta({ id: 'Signal', description: 'Evidence about a received message.' }),
  )
  .describe('At most 20; empty for outbound email.');

export function presentSignals(signals: readonly Signal[] = []): z.input<typeof signalsSchema> {
  return signals.map(({ code, detail, place }) => ({ code, detail, place }));
}
