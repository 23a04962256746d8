/** The steps of a customer's app from sign-in to sign-out, including requests that must be rejected. */
import { completeSignInPages } from '../sign-in-pages.ts';
import { at, call, expectEqual, type Journey, recall, type Step, textAt, Unexpected } from './journey.ts';
import { CONTRACT, CYCLES, customerGid, LIST, NOTE, SESSIONS, SKIP } from './operations.ts';
import { appOf, refusalOf, startApp } from './run-client.ts';

const HOUR_MS = 3_600_000;
const NOTHING_LEFT = 'The first subscription has no order left to skip: restart the stack.';

export const customerSteps: readonly Step[] = [
  { title: 'The customer signs in on the platform’s pages with an e-mail address and a code', run: signIn },
  { title: 'The app lists the customer’s subscriptions with the next charge of each', run: list },
  { title: 'The app shows the upcoming orders of one subscription', run: details },
  { title: 'The customer skips the next order', run: (journey) => skip(journey, true) },
  { title: 'The customer restores the skipped order', run: (journey) => skip(journey, false) },
  { title: 'A field that is not available to customers is rejected', run: forbiddenField },
  { title: 'Another customer’s subscription is rejected', run: foreignContract },
  {
    title: 'An hour later, the app refreshes its tokens and lists the customer’s devices',
    run: signIns,
  },
  { title: 'The customer signs out', run: signOut },
  { title: 'A refresh after the sign-out is rejected', run: refreshAfterSignOut },
];

async function signIn(journey: Journey): Promise<void> {
  const { stack, show } = journey;
  const email = `${stack.customers[0]?.email}`;
  const app = startApp(journey, async ({ authUrl, redirectUri }) => {
    const callbackUrl = await completeSignInPages({
      ...{ authUrl, email },
      readCode: async () => {
        const mailbox = `${stack.platformUrl}/_control/one-time-code?email=${encodeURIComponent(email)}`;
        return textAt(await (await fetch(mailbox)).json(), 'code');
      },
      seen: (method, url, status) => show.page(method, url, status),
    });
    show.note(`${redirectUri}?code=…&state=…`);
    return callbackUrl;
  });
  const session = await app.signIn();
  expectEqual('session', { status: 'signedIn', customerId: stack.customers[0]?.id }, session);
}

type Operation = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

async function ask(journey: Journey, { query, variables }: Operation): Promise<unknown> {
  return (await appOf(journey).client.request(query, variables)).data;
}

async function list(journey: Journey): Promise<void> {
  const data = await ask(journey, { query: LIST, variables: { id: customerGid(journey, 0) } });
  const first = 'customer.subscriptionContracts.nodes.0';
  journey.saved.set('contract', textAt(data, `${first}.id`));
  journey.saved.set('zone', textAt(data, 'serviceInfo.storeTimeZone'));
  if (at(data, `${first}.nextOrder`) === null) throw new Unexpected(NOTHING_LEFT);
  const date = textAt(data, `${first}.nextOrder.date`);
  journey.saved.set('next', date);
  journey.saved.set('cycle', `${at(data, `${first}.nextOrder.cycleIndex`)}`);
  const [amount, currency] = ['amount', 'currencyCode'].map((name) =>
    textAt(data, `${first}.nextOrder.total.${name}`),
  );
  journey.show.note(`Next charge on ${dayOf(journey, date)}: ${amount} ${currency}`);
}

/** Formats the day in the store's time zone, as the store's messages do. */
function dayOf(journey: Journey, date: string): string {
  const timeZone = recall(journey, 'zone');
  return `${new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })} (${timeZone})`;
}

async function details(journey: Journey): Promise<void> {
  const next = recall(journey, 'next');
  // More than a page of earlier orders may be skipped.
  const data = await ask(journey, { query: CYCLES, variables: { id: recall(journey, 'contract') } });
  const cycles = at(data, 'subscriptionBillingCycles.nodes') as { cycleIndex: number }[] | undefined;
  const cycle = cycles?.find(({ cycleIndex }) => `${cycleIndex}` === recall(journey, 'cycle'));
  expectEqual('whether the next order is skipped', false, at(cycle, 'skipped'));
  expectEqual('the date of the next order', next, at(cycle, 'billingAttemptExpectedDate'));
}

async function skip(journey: Journey, skipped: boolean): Promise<void> {
  const index = Number(recall(journey, 'cycle'));
  const date = recall(journey, 'next');
  const variables = { id: recall(journey, 'contract'), index, skip: skipped, date };
  const data = await ask(journey, { query: SKIP, variables });
  const billingCycle = { cycleIndex: index, skipped, billingAttemptExpectedDate: date };
  expectEqual(
    'subscriptionBillingCycleSkip',
    { billingCycle, userErrors: [] },
    at(data, 'subscriptionBillingCycleSkip'),
  );
  journey.show.note(`The order for ${dayOf(journey, date)} is ${skipped ? 'skipped' : 'restored'}.`);
}

async function forbiddenField(journey: Journey): Promise<void> {
  const variables = { id: recall(journey, 'contract') };
  expectEqual(
    'error',
    { code: 'FIELD_NOT_AVAILABLE', message: 'Field "note" is not available to customer accounts' },
    await refusalOf(ask(journey, { query: NOTE, variables })),
  );
}

async function foreignContract(journey: Journey): Promise<void> {
  const variables = { id: recall(journey, 'foreignContract') };
  const { code } = await refusalOf(ask(journey, { query: CONTRACT, variables }));
  expectEqual('code', 'FORBIDDEN', code);
}

async function signIns(journey: Journey): Promise<void> {
  const before = recall(journey, 'refreshToken');
  appOf(journey).clock.aheadMs = HOUR_MS;
  const data = await ask(journey, { query: SESSIONS, variables: { id: customerGid(journey, 0) } });
  expectEqual('whether the tokens are new', true, recall(journey, 'refreshToken') !== before);
  const sessions = at(data, 'customer.sessions') as { isCurrent: boolean }[] | undefined;
  expectEqual('the number of current sign-ins', 1, sessions?.filter(({ isCurrent }) => isCurrent).length);
  journey.show.note(
    `The customer is signed in on ${sessions?.length} device${sessions?.length === 1 ? '' : 's'}.`,
  );
}

async function signOut(journey: Journey): Promise<void> {
  const { client } = appOf(journey);
  await client.signOut();
  // The client notifies the service in the background.
  const session = await client.resume();
  expectEqual('session', { status: 'signedOut', endedByService: false }, session);
}

async function refreshAfterSignOut(journey: Journey): Promise<void> {
  const { baseUrl, shop, customers } = journey.stack;
  const session = { shop, customerId: customers[0]?.id, refreshToken: recall(journey, 'refreshToken') };
  const url = `${baseUrl}/headless-auth/refresh`;
  const { body } = await call(journey, { method: 'POST', url, body: session }, 401);
  expectEqual('code', 'INVALID_REFRESH_TOKEN', at(body, 'error.code'));
}
