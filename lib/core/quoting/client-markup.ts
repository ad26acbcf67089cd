/** The markup by which mail clients tell quotes and signatures from what was written. */

/**
 * What an element is:
 * - `quote`: all of it is quoted.
 * - `container`: holds an attribution and then the quote; answers may stand between and after the quotes in it.
 * - `quotable`: a blockquote that nothing marks as a reply's; the author may have made it.
 * - `rest`: it and all that follows it in its container is quoted.
 * - `signature`: all of it is the signature.
 */
export type ElementRole = 'quote' | 'container' | 'quotable' | 'rest' | 'signature';

/** The attributes that matter here, as they stand in the html. */
export interface MarkerAttributes {
  readonly id: string;
  readonly className: string;
  readonly type: string;
  readonly style: string;
  /** Values of `data-marker` (Zimbra), `data-smartmail` (Gmail) and `data-signatureblock` (Windows Mail). */
  readonly data: string;
}

interface Marker {
  readonly role: ElementRole;
  /** Whole ids. Outlook puts `x_` before those of mail it quotes. */
  readonly ids?: RegExp;
  readonly classes?: RegExp;
  readonly data?: RegExp;
}

/** Which client writes which; the first that fits counts. */
const markers: readonly Marker[] = [
  // Thunderbird, and its forwards.
  {
    role: 'quote',
    classes: /(?:^|\s)(?:moz-cite-prefix|moz-forward-container|moz-email-headers-table)(?:\s|$)/,
  },
  // Outlook: new, for the Mac; Yahoo; Zimbra; NetEase; Zoho; Front; Freshdesk; Tuta.
  { role: 'quote', ids: /^(?:mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|isReplyContent)$/ },
  {
    role: 'quote',
    classes: /yahoo_quoted|(?:^|\s)(?:front-blockquote|freshdesk_quote|tutanota_quote|zmail_extra)(?:\s|$)/,
  },
  { role: 'quote', ids: /yahoo_quoted/ },
  { role: 'quote', data: /__QUOTED_TEXT__|__HEADERS__/ },
  // Outlook on the web and on the telephone.
  { role: 'rest', ids: /^(?:x_)*divRplyFwdMsg$/ },
  { role: 'rest', classes: /(?:^|\s)ms-outlook-mobile-reference-message(?:\s|$)/ },
  // Gmail; Proton Mail.
  { role: 'container', classes: /(?:^|\s)(?:gmail_quote|gmail_quote_container|protonmail_quote)(?:\s|$)/ },
  {
    role: 'signature',
    classes:
      /(?:^|\s)(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block)(?:\s|$)/,
  },
  { role: 'signature', classes: /yahoo[_-]signature|(?:^|\s)mailspring-signature(?:\s|$)/ },
  {
    role: 'signature',
    ids: /^(?:Signature|signature|ms-outlook-mobile-signature|AppleMailSignature|ms-outlook-ios-signature)$/,
  },
  { role: 'signature', data: /gmail_signature|signatureblock/ },
];

const citedBlockquote =
  /(?:^|\s)(?:gmail_quote|protonmail_quote|yahoo_quoted|tutanota_quote|front-blockquote|cite)(?:\s|$)/;
const bordered =
  /border(?:-left(?:-(?:style|width|color))?)?\s?:\s?(?!none|0)[^;]{0,60}\b(?:solid|\d+px|rgb)/i;
const borderOff = /border\s?:\s?none/i;

/** What an element is, by its name and attributes; null for one that says nothing. */
export function roleOf(name: string, attributes: MarkerAttributes): ElementRole | null {
  if (name === 'blockquote') {
    const isCited = attributes.type.toLowerCase() === 'cite' || citedBlockquote.test(attributes.className);
    const isBordered = bordered.test(attributes.style) && !borderOff.test(attributes.style);
    return isCited || isBordered || attributes.id === 'isReplyContent' ? 'quote' : 'quotable';
  }
  if (attributes.id === '' && attributes.className === '' && attributes.data === '') return null;
  return markers.find((marker) => fits(marker, attributes))?.role ?? null;
}

function fits(marker: Marker, { id, className, data }: MarkerAttributes): boolean {
  return (
    (id !== '' && marker.ids?.test(id) === true) ||
    (className !== '' && marker.classes?.test(className) === true) ||
    (data !== '' && marker.data?.test(data) === true)
  );
}
