/** Stores received mail. */
import { consume } from '../../lib/services/consume.ts';
import { receive } from '../../lib/services/inbound.ts';

export const handler = consume(receive);
