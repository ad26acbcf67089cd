/** Text of `text/enriched` (RFC 1896) and `text/richtext` (RFC 1341 7.1.3), without its formatting commands. */

const parameter = /<param>[^<]{0,1000}<\/param>/gi;
const command = /<<|<\/?[A-Za-z][\w-]{0,59}>/g;

/** The content without commands; `<<` is a less-than sign. Linear. */
export function unmarkEnriched(content: Buffer): Buffer {
  const text = content
    .toString('latin1')
    .replace(parameter, '')
    .replace(command, (found) => replaced(found.toLowerCase()));
  return Buffer.from(text, 'latin1');
}

function replaced(found: string): string {
  if (found === '<<' || found === '<lt>') return '<';
  return found === '<nl>' || found === '<np>' ? '\n' : '';
}
