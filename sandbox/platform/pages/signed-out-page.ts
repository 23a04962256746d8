/** The page at the end of a browser's session; an app receives JSON instead. */

import { createPageResponse, renderHtml } from '../http/page.ts';
import type { PlatformResponse } from '../http/response.ts';

export function renderSignedOutPage(storeName: string): PlatformResponse {
  return createPageResponse({
    title: 'Signed out',
    owner: storeName,
    main: renderHtml`<h1>Signed out</h1>
<p role="status">You are signed out of ${storeName}. You can close this page.</p>`,
  });
}
