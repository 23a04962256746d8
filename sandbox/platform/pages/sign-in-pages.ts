/** The two steps of signing in: the e-mail address, then the code that was sent to it. */

import { createPageResponse, type Html, renderHtml } from '../http/page.ts';
import type { PlatformResponse } from '../http/response.ts';

type SignInPageInput = {
  readonly storeName: string;
  /** The path of this sign-in; its forms have paths below it. */
  readonly path: string;
  readonly mailboxPath: string;
  /** The schemes of the app's redirect addresses, which a form may lead to. */
  readonly formTargets: readonly string[];
  readonly error?: string | undefined;
};

export type EmailPageInput = SignInPageInput & {
  readonly email: string;
  /** Customers of the demo store, as examples. */
  readonly examples: readonly string[];
  /** The language that the app requested. The platform's pages use it; these pages only display it. */
  readonly locale: string | undefined;
};

export type CodePageInput = SignInPageInput & { readonly email: string };

export function renderEmailPage(step: EmailPageInput): PlatformResponse {
  return createPageResponse({
    ...createPageOptions(step),
    title: 'Sign in',
    main: renderHtml`<h1>Sign in</h1>
<p class="soft">Enter your email address and we will send you a code. No password needed.</p>
<form method="post" action="${step.path}/email" novalidate>
${renderErrorLine(step.error)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" autocapitalize="none" spellcheck="false" required autofocus list="examples" value="${step.email}"${renderInvalidAttributes(step.error)}>
<datalist id="examples">${step.examples.map((example) => renderHtml`<option value="${example}"></option>`)}</datalist>
<button type="submit">Send code</button>
</form>
${renderCancelForm(step.path)}
<p class="note">This is a demo store: no email leaves this machine. Try ${step.examples[0] ?? 'an address of the seed'}.${renderLocaleNote(step.locale)}</p>`,
  });
}

export function renderCodePage(step: CodePageInput): PlatformResponse {
  return createPageResponse({
    ...createPageOptions(step),
    title: 'Enter the code',
    main: renderHtml`<h1>Enter the code</h1>
<p class="soft">We sent a six-digit code to <strong>${step.email}</strong>.</p>
<form method="post" action="${step.path}/code" novalidate>
${renderErrorLine(step.error)}
<label for="code">Code</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" inputmode="numeric" maxlength="12" required autofocus${renderInvalidAttributes(step.error)}>
<button type="submit">Sign in</button>
</form>
<div class="row">
<form method="post" action="${step.path}/again"><button class="quiet" type="submit">Send a new code</button></form>
<form method="get" action="${step.path}"><input type="hidden" name="step" value="email"><button class="quiet" type="submit">Use a different email</button></form>
</div>
${renderCancelForm(step.path)}
<p class="note">This is a demo store: the code is in the terminal and in the
<a href="${step.mailboxPath}" target="_blank" rel="noopener">mailbox (opens in a new tab)</a>.</p>`,
  });
}

function renderLocaleNote(locale: string | undefined): Html | undefined {
  return locale === undefined ? undefined : renderHtml` The app asks for this page in ${locale}.`;
}

function createPageOptions({ storeName, formTargets, error }: SignInPageInput) {
  return { status: error === undefined ? 200 : 422, owner: storeName, formTargets };
}

/** Screen readers announce an alert as soon as the page is loaded. */
function renderErrorLine(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : renderHtml`<p class="error" id="error" role="alert">${error}</p>`;
}

function renderInvalidAttributes(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : renderHtml` aria-invalid="true" aria-describedby="error"`;
}

function renderCancelForm(path: string): Html {
  return renderHtml`<form method="post" action="${path}/cancel"><button class="quiet" type="submit">Cancel</button></form>`;
}
