/** The request budget, as answers say it (docs/concepts/request-budget.md#headers). */

export interface Budget {
  readonly limit: number;
  readonly remaining: number;
}

/** null: the answer says nothing about it. */
export function budgetOf(headers: Headers): Budget | null {
  const [limit, remaining] = ['RateLimit-Limit', 'RateLimit-Remaining'].map((name) =>
    Number(headers.get(name) ?? Number.NaN),
  ) as [number, number];
  return limit > 0 && remaining >= 0 ? { limit, remaining } : null;
}
