/** Connections of mailboxes as a browser makes them, at the emulated providers. */

/** How a person answers the consent page. */
export interface ConsentChoice {
  /** Made an account where there is none. */
  readonly address?: string;
  readonly isDenied?: boolean;
  /** Permissions that are left out, by the end of their scope. */
  readonly without?: readonly string[];
}

/** Fetches without following redirects. */
async function open(url: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, { ...init, redirect: 'manual', headers: { accept: 'text/html', ...init.headers } });
}

/** Answers a consent page; the URL of the callback to which the provider sends the browser. */
export async function giveConsent(url: string, choice: ConsentChoice = {}): Promise<string> {
  const { address = 'anna.berg@gmail.com', isDenied = false, without = [] } = choice;
  const form = new URLSearchParams({ decision: isDenied ? 'deny' : 'allow', other: address });
  const scopes = new URL(url).searchParams.get('scope')?.split(' ') ?? [];
  for (const scope of scopes) if (!without.some((end) => scope.endsWith(end))) form.append('scope', scope);
  const response = await open(url, { method: 'POST', body: form });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`the consent page answered ${response.status}`);
  return location;
}

/** Opens a callback, or any other page, as a browser does. */
export async function browse(
  url: string,
): Promise<{ readonly status: number; readonly location: URL | null; readonly text: string }> {
  const response = await open(url);
  const location = response.headers.get('location');
  return {
    status: response.status,
    location: location === null ? null : new URL(location),
    text: await response.text(),
  };
}

/** The id of a mailbox that is connected by a consent URL. */
export async function connectAt(url: string, choice: ConsentChoice = {}): Promise<string> {
  const { location, status, text } = await browse(await giveConsent(url, choice));
  const id = location?.searchParams.get('mailbox_id');
  if (!id) throw new Error(`the callback answered ${status} ${location?.href ?? text}`);
  return id;
}
