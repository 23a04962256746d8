/** The layout of the platform's pages: without inline scripts and external resources, and with a dark mode. */
import type { PlatformResponse } from './response.ts';

/** Text that is already HTML. */
export type Html = { readonly html: string };

type TemplateValue = string | number | Html | readonly Html[] | undefined;

/** Returns the HTML of a template. Escapes all values that are not Html. */
export function renderHtml(texts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  return {
    html: texts.reduce((whole, text, index) => whole + renderTemplateValue(values[index - 1]) + text),
  };
}

function renderTemplateValue(value: TemplateValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export type PlatformPage = {
  readonly status?: number;
  readonly title: string;
  /** The name above the heading: whose page it is. */
  readonly owner?: string;
  readonly main: Html;
  readonly head?: Html;
  /** Schemes that a form may end at, besides this origin: an app's redirect address. */
  readonly formTargets?: readonly string[];
  readonly isWide?: boolean;
};

/** Creates the response with a page. `main` contains its heading. */
export function createPageResponse(content: PlatformPage): PlatformResponse {
  const { status = 200, title, owner, main, head, isWide = false } = content;
  const document = renderHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${owner === undefined ? title : `${title} – ${owner}`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_assets/pages.css">
${head}
</head>
<body>
<main class="${isWide ? 'sheet wide' : 'sheet'}">
${owner === undefined ? undefined : renderHtml`<p class="owner"><span class="mark" aria-hidden="true">${owner.slice(0, 1)}</span>${owner}</p>`}
${main}
</main>
</body>
</html>`;
  return { status, headers: createPageHeaders(content.formTargets ?? []), body: document.html };
}

/**
 * Returns the headers, with a Content Security Policy (Level 3). Browsers apply form-action to a form's redirects, too.
 */
function createPageHeaders(formTargets: readonly string[]): PlatformResponse['headers'] {
  const contentPolicy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
