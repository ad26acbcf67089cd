/** Which region receives the mail for an address. */
import type { IncomingMail } from './incoming-mail.ts';
import { domainOf } from './outcomes.ts';
import type { ReceivedMail } from './receiving.ts';
import type { Region } from './region.ts';
import { lookUp, type Resolver } from './resolver.ts';

/** The result of incoming mail: completed actions, and recipients at no verified domain. */
export interface ReceiveResult {
  readonly received: readonly ReceivedMail[];
  readonly refused: readonly string[];
}

export interface InboundRouting {
  /** Whether RCPT TO accepts an address in any region. */
  accepts(address: string): Promise<boolean>;
  /** Receives a mail in the regions of its recipients. */
  receive(mail: IncomingMail): Promise<ReceiveResult>;
}

/** @param regions by name */
export function createInboundRouting(
  regions: ReadonlyMap<string, Pick<Region, 'receiving'>>,
  resolver: Pick<Resolver, 'mx'>,
): InboundRouting {
  /** When several regions accept an address, the one of its MX record. */
  const regionFor = async (address: string): Promise<Pick<Region, 'receiving'> | null> => {
    const candidates: [string, Pick<Region, 'receiving'>][] = [];
    for (const entry of regions) {
      if (await entry[1].receiving.accepts(address)) candidates.push(entry);
    }
    const [first, ...more] = candidates;
    if (first === undefined || more.length === 0) return first?.[1] ?? null;
    const exchanges = (await lookUp(resolver.mx(domainOf(address)))) ?? [];
    const published = candidates.find(([name]) =>
      exchanges.some(({ exchange }) => exchange.toLowerCase() === `inbound-smtp.${name}.amazonaws.com`),
    );
    return (published ?? first)[1];
  };

  return {
    accepts: async (address) => (await regionFor(address)) !== null,
    receive: async (mail) => {
      const regionsOfRecipients = await Promise.all(mail.recipients.map(regionFor));
      const byRegion = Map.groupBy(mail.recipients, (_, index) => regionsOfRecipients[index] ?? null);
      const received: ReceivedMail[] = [];
      for (const [region, recipients] of byRegion) {
        if (region !== null) received.push(...(await region.receiving.receive({ ...mail, recipients })));
      }
      return { received, refused: byRegion.get(null) ?? [] };
    },
  };
}
