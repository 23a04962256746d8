/** The index page says to people who open the platform's address what this is and where things are. */

import { createPageResponse, renderHtml } from '../http/page.ts';
import type { PlatformResponse } from '../http/response.ts';
import type { StoreState } from '../state/state.ts';

export function renderIndexPage(stores: readonly StoreState[]): PlatformResponse {
  return createPageResponse({
    title: 'The emulated platform',
    isWide: true,
    main: renderHtml`<h1>The emulated platform</h1>
<p class="soft">Stands in for the commerce platform: its sign-in and its Admin API, for the stores below.</p>
<p><a href="/_mailbox">Open the mailbox</a></p>
<ul class="list">${stores.map(
      ({ name, shop, shopId, customers }) => renderHtml`<li>
<h2>${name}</h2>
<p class="soft"><code>${shop}</code>, shop id ${shopId}, ${customers.size} customers</p>
<p><a href="/${shop}/.well-known/openid-configuration">Sign-in discovery</a></p>
</li>`,
    )}</ul>`,
  });
}
