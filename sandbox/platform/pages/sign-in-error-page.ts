/**
 * The page of a sign-in that failed and cannot return to the app. It explains the error to the customer and the app's
 * developer.
 */

import { createPageResponse, renderHtml } from '../http/page.ts';
import type { PlatformResponse } from '../http/response.ts';

type SignInError = { readonly error: string; readonly error_description?: string | undefined };

const sentenceByError: Readonly<Record<string, string>> = {
  invalid_client: 'The app that sent you here is not known to this store.',
  invalid_redirect_uri:
    'The app that sent you here asked to be answered at an address it has not registered.',
  invalid_request: 'The app that sent you here made a request that this store does not understand.',
  session_expired: 'This sign-in has expired, or was started in another browser.',
};

export function renderSignInErrorPage(
  status: number,
  { error, error_description: errorDescription }: SignInError,
): PlatformResponse {
  return createPageResponse({
    status,
    title: 'Sign-in cannot continue',
    main: renderHtml`<h1>Sign-in cannot continue</h1>
<p role="alert">${sentenceByError[error] ?? 'Something went wrong with this sign-in.'} Go back to the app and start again.</p>
<p class="soft">For the app’s developer: <code>${error}</code>${errorDescription === undefined ? undefined : renderHtml` (${errorDescription})`}.</p>`,
  });
}
