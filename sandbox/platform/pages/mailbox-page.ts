/** The mailbox of all customers: the mails that the platform would have sent, newest first. */

import { createPageResponse, type Html, renderHtml } from '../http/page.ts';
import type { PlatformResponse } from '../http/response.ts';
import type { MailRecord } from '../state/state.ts';

/** `listPath` is the address of the list, which the page polls. */
export function renderMailboxPage(mails: readonly MailRecord[], listPath: string): PlatformResponse {
  return createPageResponse({
    title: 'Mailbox',
    isWide: true,
    head: renderHtml`<script type="module" src="/_assets/mailbox.js"></script>
<noscript><meta http-equiv="refresh" content="5"></noscript>`,
    main: renderHtml`<h1>Mailbox</h1>
<p class="soft">All email from the demo stores, newest first. None of it leaves this machine. This page checks for new mail by itself.</p>
<noscript><p><a href="">Check for new mail</a></p></noscript>
<p role="status"></p>
<ol class="list" data-mails="${listPath}">${renderMailList(mails)}</ol>`,
  });
}

/** Returns only the list, for the page to fetch. */
export function createMailListResponse(mails: readonly MailRecord[]): PlatformResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: renderMailList(mails).html,
  };
}

/** Turns the addresses in a mail's text into links, which open in another tab. */
function linkAddresses(text: string): Html[] {
  const isWebAddress = (part: string) => /^https?:/.test(part);
  return text
    .split(/(https?:[^\s]+)/)
    .map((part) =>
      isWebAddress(part)
        ? renderHtml`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`
        : renderHtml`${part}`,
    );
}

function renderMailList(mails: readonly MailRecord[]): Html {
  if (mails.length === 0) return renderHtml`<li>No mail yet.</li>`;
  return renderHtml`${mails.toReversed().map(
    ({ at, to, subject, text }) => renderHtml`<li>
<h2>${subject}</h2>
<p class="soft">To ${to}, <time datetime="${at}">${at.replace('T', ' ').replace('Z', ' UTC')}</time></p>
<p>${linkAddresses(text)}</p>
</li>`,
  )}`;
}
