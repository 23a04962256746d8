/** `/_bank/{attempt}`: the page of 3-D Secure, where a card's holder confirms a payment or refuses it. */
import { settleDueAttempts } from '../admin/endpoint/settle-due-attempts.ts';
import { type Answer, methodNotAllowed } from '../http/answer.ts';
import { html, pageAnswer } from '../http/page.ts';
import { formOf, type PlatformRequest } from '../http/platform-request.ts';
import { PAYS_ANSWER, replaceAnswer } from '../state/card-answers.ts';
import type { PlatformContext } from './platform-context.ts';

/** By what the holder pressed: what the bank then answers, and what the page says. */
const BANK_DECISIONS: Readonly<Record<string, { readonly answer: string; readonly title: string }>> = {
  confirm: { answer: PAYS_ANSWER, title: 'The payment is confirmed' },
  refuse: { answer: 'AUTHENTICATION_FAILED', title: 'The payment is refused' },
};

export function answerBank(context: PlatformContext, request: PlatformRequest, attemptId: number): Answer {
  if (request.method !== 'GET' && request.method !== 'POST') return methodNotAllowed('GET', 'POST');
  const store = [...context.state().stores.values()].find(({ attempts }) => attempts.has(attemptId));
  const attempt = store?.attempts.get(attemptId);
  if (store === undefined || attempt?.isChallenged !== true)
    return sentencePage(410, 'Nothing is to be confirmed here');
  if (request.method === 'GET') return questionPage(store.name, request.path);
  const decision = BANK_DECISIONS[formOf(request).get('answer') ?? ''];
  if (decision === undefined) return sentencePage(400, 'Send the form with "answer": confirm or refuse');
  const nowMs = context.clock.now();
  replaceAnswer(attempt, decision.answer, nowMs);
  settleDueAttempts(store, nowMs);
  context.stateChanged();
  context.webhooks.noticeCharges(store.shop);
  return sentencePage(200, decision.title);
}

function questionPage(owner: string, path: string): Answer {
  return pageAnswer({
    owner,
    title: 'Confirm the payment',
    main: html`<h1>Confirm the payment</h1>
<p class="soft">Your bank asks whether you want to pay for your subscription.</p>
<form method="post" action="${path}"><button type="submit" name="answer" value="confirm">Confirm</button>
<button class="quiet" type="submit" name="answer" value="refuse">Refuse</button></form>`,
  });
}

function sentencePage(status: number, title: string): Answer {
  return pageAnswer({ status, title, main: html`<h1>${title}</h1><p>You can close this page.</p>` });
}
