/** What the measurements use of planer, which brings no types of its own. */
declare module 'planer' {
  export function extractFrom(body: string, type: 'text/plain'): string;
}
