/** The mailbox, at its own address and below each store's sign-in, where a proxied page can reach it. */

import type { PlatformRequest } from '../http/platform-request.ts';
import {
  createMethodNotAllowedResponse,
  createNotFoundResponse,
  type PlatformResponse,
} from '../http/response.ts';
import { createMailListResponse, renderMailboxPage } from '../pages/mailbox-page.ts';
import type { PlatformContext } from './platform-context.ts';

export function handleMailbox(
  context: PlatformContext,
  request: PlatformRequest,
  path: string,
): PlatformResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return createMethodNotAllowedResponse('GET', 'HEAD');
  const { mails } = context.state();
  if (request.path === path) return renderMailboxPage(mails, `${path}/list`);
  return request.path === `${path}/list` ? createMailListResponse(mails) : createNotFoundResponse();
}
