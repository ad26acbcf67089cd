/** Links whose text names another site than the one that they open. */
import { parse } from 'tldts';
import { registeredDomain } from './lookalike.ts';
import { quoted, signal } from './signal.ts';
import type { Signal } from './signal-codes.ts';
import type { Link } from './split-html.ts';

/** Registered domains of services that check or count clicks, and then redirect to the address in the text. */
const redirecting = new Set(
  (
    'outlook.com office.com urldefense.com proofpoint.com mimecast.com cudasvc.com trendmicro.com google.com slack-redir.net ' +
    'facebook.com linkedin.com lnkd.in sendgrid.net list-manage.com mandrillapp.com mailgun.org sparkpostmail.com awstrack.me ' +
    'exct.net rs6.net hubspotlinks.com cmail19.com cmail20.com createsend1.com mailchi.mp postmarkapp.com mjt.lu sendibm1.com ' +
    't.co bit.ly fireeye.com sophos.com barracudanetworks.com klclick.com customeriomail.com intercom-mail.com'
  ).split(' '),
);
/** Endings of file names that are top-level domains, too. */
const fileEndings = new Set('ai app cc md mov pl ps py rs sh so zip'.split(' '));
const label =
  /^(https?:\/\/)?(?:[^\s/@]{1,100}@)?((?:[\p{L}\p{N}_-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63})(?::\d{1,5})?(?:[/?#]\S*)?$/iu;
const hrefCharactersMax = 4000;
const labelCharactersMax = 400;
/** Links with other texts to the same site: then it counts the clicks of all of them. */
const trackedLinksMin = 2;

/** The links of a message that name one site and open another. @param own domain of the author */
export function linkSignals(links: readonly Link[], own: string): Signal[] {
  const targets = links.map((link) => ({ link, target: targetOf(link.href), named: namedIn(link.label) }));
  const counted = new Map<string, Set<string>>();
  for (const { link, target, named } of targets) {
    if (target === null || named !== null || link.label.trim() === '') continue;
    counted.set(target, (counted.get(target) ?? new Set()).add(link.href));
  }
  return targets.flatMap(({ link, target, named }) => {
    if (target === null || named === null || target === named) return [];
    if (redirecting.has(target) || target === own || (counted.get(target)?.size ?? 0) >= trackedLinksMin)
      return [];
    return [signal('link_text_mismatch', 'html', `The link ${quoted(link.label)} opens ${quoted(target)}.`)];
  });
}

/** The registered domain or address that a link opens; null where it opens no website. */
function targetOf(href: string): string | null {
  const text = href.trim();
  if (text.length > hrefCharactersMax || !/^https?:/i.test(text) || !URL.canParse(text)) return null;
  return registeredDomain(new URL(text).hostname.replace(/\.$/, ''));
}

/** The registered domain that the text of a link names, where the text is an address of a website. */
function namedIn(text: string): string | null {
  if (text.length > labelCharactersMax) return null;
  const [, scheme, host = ''] = label.exec(text.trim().replace(/[.,;:)>\]]+$/, '')) ?? [];
  if (host === '') return null;
  const name = host.toLowerCase();
  const { domain, isIcann, publicSuffix } = parse(name, { allowPrivateDomains: true });
  if (domain === null || !(isIcann || scheme !== undefined)) return null;
  const isFile = scheme === undefined && !name.startsWith('www.') && fileEndings.has(publicSuffix ?? '');
  return isFile ? null : domain;
}
