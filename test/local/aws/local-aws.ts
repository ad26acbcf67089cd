/** A gateway with chosen services for one test, and the settings that SDK clients need to reach it. */
import { expect, onTestFinished } from 'vitest';
import { createFaults, type Faults } from '../../../lib/local/aws/faults.ts';
import { type Gateway, startGateway } from '../../../lib/local/aws/gateway.ts';
import { type AwsService, localAdmin, type NeededPermission } from '../../../lib/local/aws/service.ts';
import { localSecret } from '../../../lib/local/aws/sigv4.ts';
import { createClock, type MovableClock } from '../../../lib/local/clock.ts';
import { compareAnswer } from '../../support/aws-models/exchange.ts';

export interface LocalAws {
  readonly clock: MovableClock;
  readonly faults: Faults;
  readonly gateway: Gateway;
  /** Client settings that sign as `principal`. */
  as(principal: string): ClientSettings;
  readonly admin: ClientSettings;
}

export interface ClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}

/** Starts it on a free port; it ends with the test. */
export async function localAws(
  servicesOn: (clock: MovableClock) => readonly AwsService[],
  authorize: (role: string, needed: NeededPermission) => boolean = () => false,
): Promise<LocalAws> {
  const clock = createClock();
  const faults = createFaults();
  const gateway = await startGateway({ clock, faults, authorize, services: servicesOn(clock) });
  const problems: string[] = [];
  gateway.recorder.onExchange = (exchange) => problems.push(...compareAnswer(exchange));
  onTestFinished(async () => {
    expect(problems).toEqual([]);
    clock.close();
    await gateway.close();
  });
  const as = (principal: string): ClientSettings => ({
    endpoint: gateway.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: principal, secretAccessKey: localSecret(principal) },
    maxAttempts: 1,
  });
  return { clock, faults, gateway, as, admin: as(localAdmin) };
}
