/** The steps of a customer's app from sign-in to sign-out, including requests that must be rejected. */
import { completeSignInPages } from '../sign-in-pages.ts';
import {
  expectEqual,
  type Journey,
  type Step,
  savedValue,
  sendAndExpectStatus,
  textAt,
  UnexpectedResponse,
  valueAtPath,
} from './journey.ts';
import {
  CONTRACT_QUERY,
  CYCLES_QUERY,
  customerGid,
  LIST_QUERY,
  NOTE_QUERY,
  SESSIONS_QUERY,
  SKIP_MUTATION,
} from './operations.ts';
import { appOf, refusalOf, startApp } from './run-client.ts';

const HOUR_MS = 3_600_000;
const NOTHING_LEFT = 'The first subscription has no order left to skip: restart the stack.';

export const customerSteps: readonly Step[] = [
  {
    title: 'The customer signs in on the platform’s pages with an e-mail address and a code',
    run: signInCustomer,
  },
  {
    title: 'The app lists the customer’s subscriptions with the next charge of each',
    run: listSubscriptions,
  },
  { title: 'The app shows the upcoming orders of one subscription', run: showDetails },
  { title: 'The customer skips the next order', run: (journey) => skipNextOrder(journey, true) },
  { title: 'The customer restores the skipped order', run: (journey) => skipNextOrder(journey, false) },
  { title: 'A field that is not available to customers is rejected', run: expectForbiddenField },
  { title: 'Another customer’s subscription is rejected', run: expectForeignContractRefused },
  {
    title: 'An hour later, the app refreshes its tokens and lists the customer’s devices',
    run: signIns,
  },
  { title: 'The customer signs out', run: signOut },
  { title: 'A refresh after the sign-out is rejected', run: refreshAfterSignOut },
];

async function signInCustomer(journey: Journey): Promise<void> {
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

async function sendCustomerRequest(journey: Journey, { query, variables }: Operation): Promise<unknown> {
  return (await appOf(journey).client.request(query, variables)).data;
}

async function listSubscriptions(journey: Journey): Promise<void> {
  const data = await sendCustomerRequest(journey, {
    query: LIST_QUERY,
    variables: { id: customerGid(journey, 0) },
  });
  const first = 'customer.subscriptionContracts.nodes.0';
  journey.saved.set('contract', textAt(data, `${first}.id`));
  journey.saved.set('zone', textAt(data, 'serviceInfo.storeTimeZone'));
  if (valueAtPath(data, `${first}.nextOrder`) === null) throw new UnexpectedResponse(NOTHING_LEFT);
  const date = textAt(data, `${first}.nextOrder.date`);
  journey.saved.set('next', date);
  journey.saved.set('cycle', `${valueAtPath(data, `${first}.nextOrder.cycleIndex`)}`);
  const [amount, currency] = ['amount', 'currencyCode'].map((name) =>
    textAt(data, `${first}.nextOrder.total.${name}`),
  );
  journey.show.note(`Next charge on ${formatStoreDay(journey, date)}: ${amount} ${currency}`);
}

/** Formats the day in the store's time zone, as the store's messages do. */
function formatStoreDay(journey: Journey, date: string): string {
  const timeZone = savedValue(journey, 'zone');
  return `${new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })} (${timeZone})`;
}

async function showDetails(journey: Journey): Promise<void> {
  const next = savedValue(journey, 'next');
  // More than a page of earlier orders may be skipped.
  const data = await sendCustomerRequest(journey, {
    query: CYCLES_QUERY,
    variables: { id: savedValue(journey, 'contract') },
  });
  const cycles = valueAtPath(data, 'subscriptionBillingCycles.nodes') as { cycleIndex: number }[] | undefined;
  const cycle = cycles?.find(({ cycleIndex }) => `${cycleIndex}` === savedValue(journey, 'cycle'));
  expectEqual('whether the next order is skipped', false, valueAtPath(cycle, 'skipped'));
  expectEqual('the date of the next order', next, valueAtPath(cycle, 'billingAttemptExpectedDate'));
}

async function skipNextOrder(journey: Journey, skipped: boolean): Promise<void> {
  const index = Number(savedValue(journey, 'cycle'));
  const date = savedValue(journey, 'next');
  const variables = { id: savedValue(journey, 'contract'), index, skip: skipped, date };
  const data = await sendCustomerRequest(journey, { query: SKIP_MUTATION, variables });
  const billingCycle = { cycleIndex: index, skipped, billingAttemptExpectedDate: date };
  expectEqual(
    'subscriptionBillingCycleSkip',
    { billingCycle, userErrors: [] },
    valueAtPath(data, 'subscriptionBillingCycleSkip'),
  );
  journey.show.note(`The order for ${formatStoreDay(journey, date)} is ${skipped ? 'skipped' : 'restored'}.`);
}

async function expectForbiddenField(journey: Journey): Promise<void> {
  const variables = { id: savedValue(journey, 'contract') };
  expectEqual(
    'error',
    { code: 'FIELD_NOT_AVAILABLE', message: 'Field "note" is not available to customer accounts' },
    await refusalOf(sendCustomerRequest(journey, { query: NOTE_QUERY, variables })),
  );
}

async function expectForeignContractRefused(journey: Journey): Promise<void> {
  const variables = { id: savedValue(journey, 'foreignContract') };
  const { code } = await refusalOf(sendCustomerRequest(journey, { query: CONTRACT_QUERY, variables }));
  expectEqual('code', 'FORBIDDEN', code);
}

async function signIns(journey: Journey): Promise<void> {
  const before = savedValue(journey, 'refreshToken');
  appOf(journey).clock.aheadMs = HOUR_MS;
  const data = await sendCustomerRequest(journey, {
    query: SESSIONS_QUERY,
    variables: { id: customerGid(journey, 0) },
  });
  expectEqual('whether the tokens are new', true, savedValue(journey, 'refreshToken') !== before);
  const sessions = valueAtPath(data, 'customer.sessions') as { isCurrent: boolean }[] | undefined;
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
  const session = { shop, customerId: customers[0]?.id, refreshToken: savedValue(journey, 'refreshToken') };
  const url = `${baseUrl}/headless-auth/refresh`;
  const { body } = await sendAndExpectStatus(journey, { method: 'POST', url, body: session }, 401);
  expectEqual('code', 'INVALID_REFRESH_TOKEN', valueAtPath(body, 'error.code'));
}
