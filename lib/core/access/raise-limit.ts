/** The sentence that says how the operator raises a limit, for the details of refusals. */

/**
 * @param options of `workspace limits` (docs/administration.md)
 * @param settings of the deployment; empty: the workspace has a limit of its own
 */
export function raisedBy(options: readonly string[], settings: readonly string[]): string {
  const command = `workspace limits --workspace SLUG ${options.map((option) => `--${option} N`).join(' ')}`;
  const forAll =
    settings.length === 0
      ? ''
      : `, for all workspaces with the setting${settings.length === 1 ? '' : 's'} ${settings.join(' and ')}`;
  return `The operator raises it with \`npm run admin -- ${command}\`${forAll}.`;
}
