/** The page at the end of a browser's session; an app receives JSON instead. */
import type { Answer } from '../http/answer.ts';
import { html, pageAnswer } from '../http/page.ts';

export function signedOutPage(storeName: string): Answer {
  return pageAnswer({
    title: 'Signed out',
    owner: storeName,
    main: html`<h1>Signed out</h1>
<p role="status">You are signed out of ${storeName}. You can close this page.</p>`,
  });
}
