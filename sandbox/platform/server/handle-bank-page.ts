/** `/_bank/{attempt}`: the page of 3-D Secure, where a card's holder confirms a payment or refuses it. */
import { settleDueAttempts } from '../admin/endpoint/settle-due-attempts.ts';
import { createPageResponse, renderHtml } from '../http/page.ts';
import { type PlatformRequest, parseForm } from '../http/platform-request.ts';
import { createMethodNotAllowedResponse, type PlatformResponse } from '../http/response.ts';
import { PAYS_ANSWER, replaceBankAnswer } from '../state/attempts/card-answers.ts';
import type { PlatformContext } from './platform-context.ts';

/** The bank's response to the charge and the title of the next page, by the button that the card's holder pressed. */
const RESULT_BY_HOLDER_DECISION: Readonly<
  Record<string, { readonly bankAnswer: string; readonly title: string }>
> = {
  confirm: { bankAnswer: PAYS_ANSWER, title: 'The payment is confirmed' },
  refuse: { bankAnswer: 'AUTHENTICATION_FAILED', title: 'The payment is refused' },
};

export function handleBankPage(
  context: PlatformContext,
  request: PlatformRequest,
  attemptId: number,
): PlatformResponse {
  if (request.method !== 'GET' && request.method !== 'POST')
    return createMethodNotAllowedResponse('GET', 'POST');
  const store = [...context.state().stores.values()].find(({ attempts }) => attempts.has(attemptId));
  const nowMs = context.clock.now();
  const mailContext = { mails: context.state().mails, origin: context.origin };
  // The attempt may have expired since the last request.
  if (store !== undefined) settleDueAttempts(store, nowMs, mailContext);
  const attempt = store?.attempts.get(attemptId);
  if (store === undefined || attempt?.isChallenged !== true)
    return renderMessagePage(410, 'Nothing is to be confirmed here');
  if (request.method === 'GET') {
    attempt.isOpened = true;
    context.stateChanged();
    context.webhooks.enqueueChargeChanges(store.shop);
    return renderConfirmationPage(store.name, request.path);
  }
  const holderDecision = RESULT_BY_HOLDER_DECISION[parseForm(request).get('answer') ?? ''];
  if (holderDecision === undefined)
    return renderMessagePage(400, 'Send the form with "answer": confirm or refuse');
  replaceBankAnswer(attempt, holderDecision.bankAnswer, nowMs);
  settleDueAttempts(store, nowMs, mailContext);
  context.stateChanged();
  context.webhooks.enqueueChargeChanges(store.shop);
  return renderMessagePage(200, holderDecision.title);
}

function renderConfirmationPage(owner: string, path: string): PlatformResponse {
  return createPageResponse({
    owner,
    title: 'Confirm the payment',
    main: renderHtml`<h1>Confirm the payment</h1>
<p class="soft">Your bank asks whether you want to pay for your subscription.</p>
<form method="post" action="${path}"><button type="submit" name="answer" value="confirm">Confirm</button>
<button class="quiet" type="submit" name="answer" value="refuse">Refuse</button></form>`,
  });
}

function renderMessagePage(status: number, title: string): PlatformResponse {
  return createPageResponse({
    status,
    title,
    main: renderHtml`<h1>${title}</h1><p>You can close this page.</p>`,
  });
}
