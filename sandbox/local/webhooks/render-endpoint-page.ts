/** The page of the merchant's server: the received webhooks, newest first, and the response to the next ones. */
import { buildHtmlPage } from '../../../lib/http/html-page.ts';

export type ReceivedWebhook = {
  readonly atMs: number;
  /** The header `webhook-id`. */
  readonly id: string;
  /** The status of the response; undefined when none was sent. */
  readonly status: number | undefined;
  /** Whether the server had accepted the same webhook before. */
  readonly isDouble: boolean;
  readonly isVerified: boolean;
  readonly body: string;
};

type EndpointResponse = {
  readonly label: string;
  readonly status: number | undefined;
  readonly headers?: Record<string, string>;
};

export type ResponseName = 'accept' | 'fail' | 'busy' | 'silent' | 'gone';

export const RESPONSE_CHOICES: Readonly<Record<ResponseName, EndpointResponse>> = {
  accept: { label: 'accept: 204', status: 204 },
  fail: { label: 'fail: 500', status: 500 },
  busy: { label: 'ask for a minute: 429', status: 429, headers: { 'retry-after': '60' } },
  silent: { label: 'do not answer', status: undefined },
  gone: { label: 'say that it is gone: 410', status: 410 },
};

const PAGE_STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #767676; overflow-wrap: anywhere; }
fieldset { border: 1px solid #767676; margin: 1rem 0; } label { display: block; padding: .2rem 0; }
button { font: inherit; padding: .4rem 1rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0 0; }
`;

type EndpointPageState = {
  readonly received: readonly ReceivedWebhook[];
  readonly chosenResponse: ResponseName;
};

/** Returns the page as HTML; received content is escaped as text. */
export function renderEndpointPage({ received, chosenResponse }: EndpointPageState): string {
  const choiceItems = Object.entries(RESPONSE_CHOICES).map(
    ([name, { label }]) =>
      `<label><input type="radio" name="answer" value="${name}"${name === chosenResponse ? ' checked' : ''}> ${label}</label>`,
  );
  const pageBody = `<main>
<h1>Webhooks that a merchant’s server received</h1>
<form method="post" action="/answer">
<fieldset><legend>It answers</legend>${choiceItems.join('')}</fieldset>
<button>Answer so from now on</button>
</form>
<h2>Received: ${received.length}, the newest first</h2>
<p><a href="/">Look again</a>. The service delivers every minute.</p>
${received.length === 0 ? '<p>Nothing yet: pause a subscription on the phone page.</p>' : renderWebhooksTable(received)}
</main>`;
  return buildHtmlPage({ title: 'Webhooks received', body: pageBody, styles: [PAGE_STYLE], scripts: [] });
}

function renderWebhooksTable(received: readonly ReceivedWebhook[]): string {
  const columns = ['When', 'What', 'Verified', 'Answered'];
  const headerCells = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<table><thead><tr>${headerCells}</tr></thead><tbody>${received.map(renderWebhookRow).join('')}</tbody></table>`;
}

function renderWebhookRow({ atMs, status, isDouble, isVerified, body }: ReceivedWebhook): string {
  const { type, data } = parseWebhookEvent(body);
  const subjectId = data?.contractId ?? data?.customerId ?? '';
  const bodyCell = `<details><summary>${escapeText(`${type} ${subjectId}`)}</summary><pre>${escapeText(body)}</pre></details>`;
  const statusText = `${status ?? 'nothing'}${isDouble ? ', had it before' : ''}`;
  const time = new Date(atMs).toISOString();
  return `<tr><td>${time}</td><td>${bodyCell}</td><td>${isVerified ? 'yes' : 'no'}</td><td>${statusText}</td></tr>`;
}

type WebhookEvent = {
  readonly type?: string;
  readonly data?: { readonly contractId?: string; readonly customerId?: string };
};

function parseWebhookEvent(body: string): WebhookEvent {
  try {
    return JSON.parse(body);
  } catch {
    return { type: 'no JSON' };
  }
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
