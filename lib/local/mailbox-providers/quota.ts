/** Quotas of calls for each account, in windows of the local clock. */

export interface Quota {
  /** Takes units; null: taken, else the seconds until there are some again. */
  take(account: string, units: number): number | null;
}

export interface QuotaOptions {
  /** In one window. */
  readonly unitsMax: number;
  readonly windowMs: number;
  readonly now: () => number;
}

/** A window begins with the first call after the last one. */
export function createQuota({ unitsMax, windowMs, now }: QuotaOptions): Quota {
  const windows = new Map<string, { readonly endsAt: number; readonly used: number }>();
  return {
    take: (account, units) => {
      const open = windows.get(account);
      const { endsAt, used } = open && open.endsAt > now() ? open : { endsAt: now() + windowMs, used: 0 };
      if (used + units > unitsMax) return Math.ceil((endsAt - now()) / 1000);
      windows.set(account, { endsAt, used: used + units });
      return null;
    },
  };
}

/** Units of each call ("Usage limits", Gmail API). */
export const gmailUnits: Readonly<Record<string, number>> = {
  getProfile: 1,
  'history.list': 2,
  'messages.list': 5,
  'messages.get': 5,
  stop: 50,
  'messages.send': 100,
  watch: 100,
};
