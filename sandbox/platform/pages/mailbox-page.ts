/** The mailbox of all customers: the mails that the platform would have sent, newest first. */
import type { Answer } from '../http/answer.ts';
import { type Html, html, pageAnswer } from '../http/page.ts';
import type { MailRecord } from '../state/state.ts';

/** `listPath` is the address of the list, which the page polls. */
export function mailboxPage(mails: readonly MailRecord[], listPath: string): Answer {
  return pageAnswer({
    title: 'Mailbox',
    isWide: true,
    head: html`<script type="module" src="/_assets/mailbox.js"></script>
<noscript><meta http-equiv="refresh" content="5"></noscript>`,
    main: html`<h1>Mailbox</h1>
<p class="soft">All email from the demo stores, newest first. None of it leaves this machine. This page checks for new mail by itself.</p>
<noscript><p><a href="">Check for new mail</a></p></noscript>
<p role="status"></p>
<ol class="list" data-mails="${listPath}">${mailList(mails)}</ol>`,
  });
}

/** Returns only the list, for the page to fetch. */
export function mailListAnswer(mails: readonly MailRecord[]): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: mailList(mails).html,
  };
}

function mailList(mails: readonly MailRecord[]): Html {
  if (mails.length === 0) return html`<li>No mail yet.</li>`;
  return html`${mails.toReversed().map(
    ({ at, to, subject, text }) => html`<li>
<h2>${subject}</h2>
<p class="soft">To ${to}, <time datetime="${at}">${at.replace('T', ' ').replace('Z', ' UTC')}</time></p>
<p>${text}</p>
</li>`,
  )}`;
}
