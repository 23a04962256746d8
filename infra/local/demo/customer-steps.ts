/** What a customer's app does from sign-in to sign-out, with two requests on the way that must be refused. */

import { playSignInPages } from '../../emulators/sign-in-pages.ts';
import { at, call, expectEqual, type Journey, recall, type Step, textAt } from './journey.ts';
import { asCustomer, CONTRACT, CYCLES, customerGid, LIST, NOTE, SESSIONS, SKIP } from './operations.ts';

const YEAR_MS = 365 * 86_400_000;

export const customerSteps: readonly Step[] = [
  { title: 'The app starts a sign-in', play: start },
  { title: 'The customer signs in on the platform’s pages, with e-mail and code', play: signIn },
  { title: 'The app exchanges the code for its tokens', play: exchange },
  { title: 'It lists the customer’s subscriptions, and what each charges next', play: list },
  { title: 'It shows the next orders of one', play: details },
  { title: 'The customer skips the next order', play: (journey) => skip(journey, true) },
  { title: 'The customer takes the skip back', play: (journey) => skip(journey, false) },
  { title: 'A field that customers may not have is refused', play: forbiddenField },
  { title: 'Another customer’s subscription is refused', play: foreignContract },
  { title: 'The app refreshes its tokens', play: refresh },
  { title: 'The customer sees where they are signed in', play: signIns },
  { title: 'The customer signs out', play: revoke },
  { title: 'A refresh after signing out is refused', play: refreshAfterRevoke },
];

async function start(journey: Journey): Promise<void> {
  const { stack, kept } = journey;
  const { body } = await call(
    journey,
    { method: 'POST', url: `${stack.baseUrl}/headless-auth/start`, body: { shop: stack.shop } },
    200,
  );
  for (const name of ['authUrl', 'verifier', 'nonce', 'state', 'redirectUri'])
    kept.set(name, textAt(body, name));
}

async function signIn(journey: Journey): Promise<void> {
  const { stack, show, kept } = journey;
  const email = `${stack.customers[0]?.email}`;
  const callbackUrl = await playSignInPages({
    authUrl: recall(journey, 'authUrl'),
    email,
    readCode: async () => {
      const mailbox = `${stack.platformUrl}/_control/one-time-code?email=${encodeURIComponent(email)}`;
      return textAt(await (await fetch(mailbox)).json(), 'code');
    },
    seen: (method, url, status) => show.page(method, url, status),
  });
  const [address, query] = callbackUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  expectEqual('redirect', recall(journey, 'redirectUri'), address);
  expectEqual('state', recall(journey, 'state'), parameters.get('state'));
  kept.set('code', parameters.get('code') ?? '');
  show.note(`${address}?code=…&state=…`);
}

async function exchange(journey: Journey): Promise<void> {
  const { stack } = journey;
  const [code, verifier, nonce] = ['code', 'verifier', 'nonce'].map((name) => recall(journey, name));
  const request = { code, verifier, nonce, shop: stack.shop };
  const { body } = await call(
    journey,
    { method: 'POST', url: `${stack.baseUrl}/headless-auth/exchange`, body: request },
    200,
  );
  expectEqual('customerId', stack.customers[0]?.id, at(body, 'customerId'));
  keepTokens(journey, body);
}

async function list(journey: Journey): Promise<void> {
  const { body } = await asCustomer(journey, { query: LIST, variables: { id: customerGid(journey, 0) } });
  const first = 'data.customer.subscriptionContracts.nodes.0';
  journey.kept.set('contract', textAt(body, `${first}.id`));
  journey.kept.set('zone', textAt(body, 'data.serviceInfo.storeTimeZone'));
  const date = textAt(body, `${first}.nextOrder.date`);
  journey.kept.set('next', date);
  const [amount, currency] = ['amount', 'currencyCode'].map((name) =>
    textAt(body, `${first}.nextOrder.total.${name}`),
  );
  journey.show.note(`${dayOf(journey, date)}: ${amount} ${currency}`);
}

/** The day as the store counts days: its messages name the same one. */
function dayOf(journey: Journey, date: string): string {
  const timeZone = recall(journey, 'zone');
  return `${new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })} (${timeZone})`;
}

async function details(journey: Journey): Promise<void> {
  const now = Date.now();
  const { body } = await asCustomer(journey, {
    query: CYCLES,
    variables: {
      id: recall(journey, 'contract'),
      from: new Date(now).toISOString(),
      to: new Date(now + YEAR_MS).toISOString(),
    },
  });
  const cycles = at(body, 'data.subscriptionBillingCycles.nodes') as { skipped: boolean }[] | undefined;
  const next = cycles?.findIndex(({ skipped }) => !skipped);
  const date = textAt(cycles, `${next}.billingAttemptExpectedDate`);
  expectEqual('the first order that is not skipped', recall(journey, 'next'), date);
  journey.kept.set('date', date);
  journey.kept.set('cycle', `${at(cycles, `${next}.cycleIndex`)}`);
}

async function skip(journey: Journey, skipped: boolean): Promise<void> {
  const index = Number(recall(journey, 'cycle'));
  const date = recall(journey, 'date');
  const variables = { id: recall(journey, 'contract'), index, skip: skipped, date };
  const { body } = await asCustomer(journey, { query: SKIP, variables });
  const billingCycle = { cycleIndex: index, skipped, billingAttemptExpectedDate: date };
  const expected = { billingCycle, userErrors: [] };
  expectEqual('subscriptionBillingCycleSkip', expected, at(body, 'data.subscriptionBillingCycleSkip'));
  journey.show.note(`the order of ${dayOf(journey, date)} is ${skipped ? 'skipped' : 'on again'}`);
}

async function forbiddenField(journey: Journey): Promise<void> {
  const { body } = await asCustomer(journey, { query: NOTE, variables: { id: recall(journey, 'contract') } });
  expectEqual('message', 'Field "note" is not available to customer accounts', at(body, 'errors.0.message'));
  expectEqual('code', 'FIELD_NOT_AVAILABLE', at(body, 'errors.0.extensions.code'));
}

async function foreignContract(journey: Journey): Promise<void> {
  const variables = { id: recall(journey, 'foreignContract') };
  const { body } = await asCustomer(journey, { query: CONTRACT, variables });
  expectEqual('subscriptionContract', null, at(body, 'data.subscriptionContract'));
  expectEqual('code', 'FORBIDDEN', at(body, 'errors.0.extensions.code'));
}

async function refresh(journey: Journey): Promise<void> {
  const url = `${journey.stack.baseUrl}/headless-auth/refresh`;
  const { body } = await call(journey, { method: 'POST', url, body: session(journey) }, 200);
  keepTokens(journey, body);
}

async function signIns(journey: Journey): Promise<void> {
  const { body } = await asCustomer(journey, { query: SESSIONS, variables: { id: customerGid(journey, 0) } });
  const sessions = at(body, 'data.customer.sessions') as { isCurrent: boolean }[] | undefined;
  expectEqual('this sign-in', 1, sessions?.filter(({ isCurrent }) => isCurrent).length);
  journey.show.note(`signed in on ${sessions?.length} device${sessions?.length === 1 ? '' : 's'}`);
}

async function revoke(journey: Journey): Promise<void> {
  const url = `${journey.stack.baseUrl}/headless-auth/revoke`;
  const { body } = await call(journey, { method: 'DELETE', url, body: session(journey) }, 200);
  expectEqual('body', { revoked: true }, body);
}

async function refreshAfterRevoke(journey: Journey): Promise<void> {
  const url = `${journey.stack.baseUrl}/headless-auth/refresh`;
  const { body } = await call(journey, { method: 'POST', url, body: session(journey) }, 401);
  expectEqual('code', 'INVALID_REFRESH_TOKEN', at(body, 'error.code'));
}

function session(journey: Journey): Record<string, unknown> {
  const { shop, customers } = journey.stack;
  return { shop, customerId: customers[0]?.id, refreshToken: recall(journey, 'refreshToken') };
}

function keepTokens({ kept }: Journey, body: unknown): void {
  for (const name of ['accessToken', 'refreshToken']) kept.set(name, textAt(body, name));
  expectEqual('expiresAt in UTC', true, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(textAt(body, 'expiresAt')));
}
