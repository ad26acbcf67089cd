/** The rate of management calls in one region, all calls but SendEmail together. */
import { AwsError } from '../aws/service.ts';

export interface ManagementRate {
  /** Counts a call. @throws AwsError `TooManyRequestsException` when it comes too soon after the last one */
  take(): void;
}

/** @param now local clock, Unix milliseconds */
export function createManagementRate(callsPerSecond: number, now: () => number): ManagementRate {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    take: () => {
      const at = now();
      if (at - lastAt < 1000 / callsPerSecond) {
        throw new AwsError('TooManyRequestsException', 'Too many requests.', 429);
      }
      lastAt = at;
    },
  };
}
