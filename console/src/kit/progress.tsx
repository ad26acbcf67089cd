/** Waits: a spinner beside words, rows of a list that is being read. */

export function Spinner({ label }: { readonly label?: string }) {
  return (
    <span className="spinner" role={label ? 'status' : undefined}>
      {label && <span className="hidden">{label}</span>}
    </span>
  );
}

/** Placeholder of a list or page. It appears after a moment, so that quick answers do not flicker. */
export function Loading({
  label = 'Loading',
  rows = 6,
}: {
  readonly label?: string;
  readonly rows?: number;
}) {
  return (
    <div className="loading" role="status">
      <span className="hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="loading-row" />
      ))}
    </div>
  );
}

/** How much of a bound is used. */
export function Meter({
  label,
  used,
  allowed,
}: {
  readonly label: string;
  readonly used: number;
  readonly allowed: number;
}) {
  return (
    <meter className="meter" aria-label={label} min={0} max={allowed} high={allowed * 0.8} value={used} />
  );
}
