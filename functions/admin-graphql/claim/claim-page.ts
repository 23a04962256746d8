/** Builds the HTML pages of a one-time link. Names of stores and people are escaped. */

import type { KeyScope } from '../../../lib/domain/key-scope.ts';
import { buildHtmlPage, cspHashesOf } from '../../../lib/http/html-page.ts';
import type { OneTimeLinkView } from '../../../lib/stores/admin-keys/inspect-one-time-link.ts';
import { claimScript } from './claim-script.ts';
import { claimStyle } from './claim-style.ts';

/**
 * The content security policy of the pages. It allows the inline script and style by their hashes, and trusted types
 * keep scripts from writing HTML.
 */
export const CLAIM_PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${cspHashesOf([claimScript])}`,
  `style-src ${cspHashesOf([claimStyle])}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Returns the page for the link's state: open, gone or unknown. */
export function buildClaimPage(view: OneTimeLinkView): string {
  if (view.state === 'open') return renderOpenLinkPage(view);
  return view.state === 'gone' ? renderEndedLinkPage(view.openedAtMs) : unknownLinkPage;
}

/** The page that is shown while the table cannot be read. */
export const unavailableClaimPage = renderPage({
  title: 'Please try again in a moment',
  body: '<h1>Please try again in a moment</h1><p>We cannot look up this link right now. Nothing is lost: reload the page in a minute.</p>',
});

type OpenLink = Extract<OneTimeLinkView, { state: 'open' }>;

function renderOpenLinkPage(link: OpenLink): string {
  const { displayName, issuedBy, label, voidAtMs } = link;
  const store = escapeHtml(displayName);
  return renderPage({
    title: 'A key for your store',
    script: true,
    body: `<div id="before">
<p class="kind">Can be opened only once</p>
<h1>An admin key for ${store}</h1>
<p>${escapeHtml(issuedBy)}, from the service that manages your subscriptions, has created a key for you:
“${escapeHtml(label)}”. ${describeKeyLimits(link, store)}
<h2>What happens next</h2>
<ol>
<li>Enter your store’s own domain. It shows that the link has reached the right person.</li>
<li>The key appears on this page, once. It is decrypted in your browser: it is not shown anywhere else, and no readable copy is kept.</li>
<li>Save it where your server keeps its secrets. After that, the link no longer works.</li>
</ol>
<form id="claim" method="post">
<label for="domain">Your store’s domain</label>
<input id="domain" name="domain" required disabled maxlength="120" autocomplete="off" autocapitalize="none"
 spellcheck="false" inputmode="url" placeholder="your-store.myshopify.com" aria-describedby="problem">
<button id="show" disabled>Show the key</button>
</form>
<p class="problem" id="problem" role="alert" hidden></p>
<noscript><p class="problem">The key is decrypted in your browser, which needs JavaScript. Please allow it for this page.</p></noscript>
<p class="soft">Not a good time? Just close this page: looking at it changes nothing. The link can be opened
until ${renderTime(voidAtMs)}.</p>
</div>
${renderKeySection(store, escapeHtml(issuedBy))}`,
  });
}

/** Returns HTML that continues the paragraph about the key: its permissions, allowed networks and end. */
function describeKeyLimits({ scopes, networks, notAfter }: OpenLink, store: string): string {
  const abilityItems = scopes.map((scope) => `<li>${HTML_BY_SCOPE[scope](store)}</li>`).join('\n');
  const limitTexts = [
    scopes.includes('WRITE') ? undefined : 'It cannot change a subscription, or charge an order by itself.',
    networks.length > 0 ? `It works only from ${networks.map(escapeHtml).join(', ')}.` : undefined,
    notAfter === undefined ? undefined : `It ends on ${renderTime(notAfter)}.`,
    'The label does not limit any of this.',
  ];
  return `With it, your server can:</p>
<ul>
${abilityItems}
</ul>
<p>${limitTexts.filter((limitText) => limitText !== undefined).join(' ')}</p>`;
}

/** HTML for each scope of a key. The store's name must already be escaped. */
const HTML_BY_SCOPE: Readonly<Record<KeyScope, (store: string) => string>> = {
  READ: (store) => `read every subscription of ${store}, and see the customers’ names, addresses and orders`,
  WRITE: () =>
    'change every subscription, and <strong>charge every customer</strong> for them; change customers’ names, e-mails and addresses; make and delete selling plans and storefront tokens',
  WEBHOOKS: () => 'choose where news of changes is sent',
  BILLING: () => 'decide whether and how customers are charged by the service',
};

function renderTime(atMs: number): string {
  const date = new Date(atMs);
  return `<time datetime="${date.toISOString()}">${date.toUTCString()}</time>`;
}

/** Returns the section that is hidden until the key is opened. Both arguments must already be escaped. */
function renderKeySection(store: string, issuedBy: string): string {
  return `<section id="shown" hidden>
<p class="kind">Shown once</p>
<h1 id="shown-title" tabindex="-1">Your admin key for ${store}</h1>
<p>Copy it now. Once you close this page, nobody can show it to you again.</p>
<output id="key" aria-label="Admin key"></output>
<button id="copy" type="button">Copy the key</button>
<h2>What to do with it</h2>
<ul>
<li>Save it in your server’s secret store. It works right away.</li>
<li>Never put it in an app, a web page, an email, a chat or a repository: anyone who has it can do all that your server can do with it.</li>
<li>Your server sends it in the <code>Authorization</code> header, after the word <code>Bearer</code>.</li>
<li>Lost it, or has somebody else seen it? Tell ${issuedBy} at once: the key is revoked within a second, and you get a new one.</li>
</ul>
</section>`;
}

function renderEndedLinkPage(openedAtMs: number | undefined): string {
  const expiryText =
    openedAtMs === undefined
      ? 'It was not opened in time, or the key behind it was revoked or has ended. That key does not work.'
      : `It was opened on ${renderTime(openedAtMs)}.`;
  const adviceText =
    openedAtMs === undefined
      ? 'Ask the person who sent you the link for a new one.'
      : 'If that was you, you already have the key. If it was <strong>not</strong> you, tell the person who sent you the link at once: they will revoke the key and send you a new one.';
  return renderPage({
    title: 'This link can no longer be opened',
    body: `<p class="kind">Admin key</p><h1>This link can no longer be opened</h1><p>${expiryText}</p><p>${adviceText}</p>`,
  });
}

const unknownLinkPage = renderPage({
  title: 'We do not recognize this link',
  body: '<p class="kind">Admin key</p><h1>We do not recognize this link</h1><p>It may not have been copied completely. Open it again from the message it came in, or ask the person who sent it for a new one.</p>',
});

type PageContent = { readonly title: string; readonly body: string; readonly script?: boolean };

function renderPage({ title, body, script = false }: PageContent): string {
  const scripts = script ? [claimScript] : [];
  return buildHtmlPage({ title, body: `<main>\n${body}\n</main>`, styles: [claimStyle], scripts });
}

function escapeHtml(text: string): string {
  const entityByCharacter: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? character);
}
