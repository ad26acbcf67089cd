/** Layout of the html pages for people: no scripts, responsive, accessible, with a dark color scheme. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { PublicResponse } from '../serve-public.ts';
import { directionOf, type PageLanguage } from './languages.ts';
import { tokens } from './tokens.ts';

/** Colors and type of every page. */
export const baseStyle = `${tokens}
*{box-sizing:border-box}
body{margin:0;background:var(--sunken);color:var(--ink);font:17px/1.5 var(--sans)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

/** A card in the middle, with the elements of a form. */
export const cardStyle = `${baseStyle}
main{max-width:34rem;margin:12vh auto 3rem;padding:2rem;background:var(--page);border:1px solid var(--line);border-radius:var(--radius-large);overflow-wrap:anywhere}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}
p{margin:0 0 1rem}
.soft{color:var(--soft)}
dl{margin:0 0 1.5rem;padding:.875rem 1rem;border-radius:var(--radius);background:var(--raised)}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0}
dd+dt{margin-top:.625rem}
fieldset{margin:1.5rem 0;padding:0;border:0}
legend{padding:0;margin-bottom:.5rem;font-weight:600}
label{display:flex;gap:.75rem;align-items:flex-start;padding:.875rem 1rem;border:1px solid var(--line);border-radius:var(--radius);cursor:pointer}
label+label{margin-top:.625rem}
label small{display:block;color:var(--soft);font-size:.9375rem}
input{flex:none;width:1.25rem;height:1.25rem;margin:.15rem 0 0;accent-color:var(--accent)}
button{width:100%;min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
label:focus-within{border-color:var(--accent)}
a{color:var(--accent)}
:lang(ko){word-break:keep-all}
ul{margin:0 0 1.5rem;padding-inline-start:1.25rem}
li+li{margin-top:.25rem}
.kicker{margin:0 0 .25rem;color:var(--soft);font-weight:600}
.go{display:block;margin:0 0 .75rem;padding:.75rem 1.25rem;border:1px solid transparent;border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font-weight:600;text-align:center;text-decoration:none}
.go.second{border-color:var(--accent);background:transparent;color:var(--accent)}
.facts{margin:1.5rem 0 0;color:var(--soft);font-size:.8125rem}
.facts code{font:inherit}
@media (max-width:38rem){main{margin:0;min-height:100vh;padding:1.5rem 1.25rem;border:0;border-radius:0}}
`;

/** Builds the response of a page. */
export type HtmlBuilder = (
  status: number,
  page: {
    /** Plain text; also the heading. */
    readonly title: string;
    /** Html above the heading; default: none. */
    readonly above?: string;
    /** Html below the heading. */
    readonly body: string;
    /** Default: English, whatever the browser says. */
    readonly language?: PageLanguage;
  },
) => PublicResponse;

/** Pages for one task: a card in the middle. */
export const htmlPage: HtmlBuilder = htmlWith(cardStyle);

/**
 * A builder of pages with a style sheet, which the content security policy names by its hash.
 *
 * @param imageSource the origin of images; null: there are none
 * @param formAction where forms may lead, redirects included ("form-action" in Content Security Policy Level 3)
 */
export function htmlWith(
  css: string,
  formAction: "'self'" | '*' = "'self'",
  imageSource: string | null = null,
): HtmlBuilder {
  const hash = createHash('sha256').update(css).digest('base64');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; ${imageSource === null ? '' : `img-src ${imageSource}; `}form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    // The URL may contain a token that authorizes an action.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  };
  return (status, { language, ...page }) => {
    const title = escapeHtml(page.title);
    return {
      status,
      headers: language ? { ...headers, vary: 'accept, accept-language' } : headers,
      body:
        `<!doctype html><html${attributesOf(language ?? 'en')}><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width,initial-scale=1">' +
        `<title>${title}</title><style>${css}</style></head>` +
        `<body><main>${page.above ?? ''}<h1>${title}</h1>${page.body}</main></body></html>`,
    };
  };
}

/** Browsers know Norwegian by its written form. */
function attributesOf(language: PageLanguage): string {
  const direction = directionOf(language) === 'rtl' ? ' dir="rtl"' : '';
  return ` lang="${language === 'no' ? 'nb' : language}"${direction}`;
}
