/** The mailbox, at its own address and below each store's sign-in, where a proxied page can reach it. */

import { type Answer, methodNotAllowed, notFound } from '../http/answer.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { mailboxPage, mailListAnswer } from '../pages/mailbox-page.ts';
import type { PlatformContext } from './platform-context.ts';

export function answerMailbox(context: PlatformContext, request: PlatformRequest, path: string): Answer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET', 'HEAD');
  const { mails } = context.state();
  if (request.path === path) return mailboxPage(mails, `${path}/list`);
  return request.path === `${path}/list` ? mailListAnswer(mails) : notFound();
}
