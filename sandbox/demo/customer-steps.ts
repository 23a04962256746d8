/** The steps of a customer's app from sign-in to sign-out, including requests that must be rejected. */
import { completeSignInPages } from '../sign-in-pages.ts';
import {
  type DemoRun,
  type DemoStep,
  expectEqualValues,
  savedValue,
  sendAndExpectStatus,
  textAtPath,
  UnexpectedResponse,
  valueAtPath,
} from './demo-run.ts';
import {
  CONTRACT_QUERY,
  CYCLES_QUERY,
  customerGidByPosition,
  NOTE_QUERY,
  SESSIONS_QUERY,
  SKIP_MUTATION,
  SUBSCRIPTIONS_QUERY,
} from './operations.ts';
import { expectRejection, startApp, startedApp } from './run-client.ts';

const HOUR_MS = 3_600_000;
const NO_ORDER_TO_SKIP_TEXT = 'The first subscription has no order left to skip: restart the stack.';

export const customerSteps: readonly DemoStep[] = [
  {
    title: 'The customer signs in on the platform’s pages with an e-mail address and a code',
    run: signInCustomer,
  },
  {
    title: 'The app lists the customer’s subscriptions with the next charge of each',
    run: listSubscriptions,
  },
  { title: 'The app shows the upcoming orders of one subscription', run: showDetails },
  { title: 'The customer skips the next order', run: (demoRun) => skipNextOrder(demoRun, true) },
  { title: 'The customer restores the skipped order', run: (demoRun) => skipNextOrder(demoRun, false) },
  { title: 'A field that is not available to customers is rejected', run: expectForbiddenField },
  { title: 'Another customer’s subscription is rejected', run: expectOtherCustomersContractRefused },
  {
    title: 'An hour later, the app refreshes its tokens and lists the customer’s devices',
    run: listSignIns,
  },
  { title: 'The customer signs out', run: signOut },
  { title: 'A refresh after the sign-out is rejected', run: refreshAfterSignOut },
];

async function signInCustomer(demoRun: DemoRun): Promise<void> {
  const { stack, show } = demoRun;
  const email = `${stack.customers[0]?.email}`;
  const app = startApp(demoRun, async ({ authUrl, redirectUri }) => {
    const callbackUrl = await completeSignInPages({
      ...{ authUrl, email },
      readCode: async () => {
        const mailbox = `${stack.platformUrl}/_control/one-time-code?email=${encodeURIComponent(email)}`;
        return textAtPath(await (await fetch(mailbox)).json(), 'code');
      },
      onPage: (method, url, status) => show.page(method, url, status),
    });
    show.note(`${redirectUri}?code=…&state=…`);
    return callbackUrl;
  });
  const session = await app.signIn();
  expectEqualValues('session', { status: 'signedIn', customerId: stack.customers[0]?.id }, session);
}

type CustomerOperation = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

async function sendCustomerRequest(
  demoRun: DemoRun,
  { query, variables }: CustomerOperation,
): Promise<unknown> {
  return (await startedApp(demoRun).client.request(query, variables)).data;
}

async function listSubscriptions(demoRun: DemoRun): Promise<void> {
  const data = await sendCustomerRequest(demoRun, {
    query: SUBSCRIPTIONS_QUERY,
    variables: { id: customerGidByPosition(demoRun, 0) },
  });
  const firstContractPath = 'customer.subscriptionContracts.nodes.0';
  demoRun.saved.set('contract', textAtPath(data, `${firstContractPath}.id`));
  demoRun.saved.set('zone', textAtPath(data, 'serviceInfo.storeTimeZone'));
  if (valueAtPath(data, `${firstContractPath}.nextOrder`) === null)
    throw new UnexpectedResponse(NO_ORDER_TO_SKIP_TEXT);
  const nextOrderDate = textAtPath(data, `${firstContractPath}.nextOrder.date`);
  demoRun.saved.set('next', nextOrderDate);
  demoRun.saved.set('cycle', `${valueAtPath(data, `${firstContractPath}.nextOrder.cycleIndex`)}`);
  const [amount, currency] = ['amount', 'currencyCode'].map((name) =>
    textAtPath(data, `${firstContractPath}.nextOrder.total.${name}`),
  );
  demoRun.show.note(`Next charge on ${formatStoreDay(demoRun, nextOrderDate)}: ${amount} ${currency}`);
}

/** Formats the day in the store's time zone, as the store's messages do. */
function formatStoreDay(demoRun: DemoRun, date: string): string {
  const timeZone = savedValue(demoRun, 'zone');
  return `${new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })} (${timeZone})`;
}

async function showDetails(demoRun: DemoRun): Promise<void> {
  const nextOrderDate = savedValue(demoRun, 'next');
  // More than a page of earlier orders may be skipped.
  const data = await sendCustomerRequest(demoRun, {
    query: CYCLES_QUERY,
    variables: { id: savedValue(demoRun, 'contract') },
  });
  const cycles = valueAtPath(data, 'subscriptionBillingCycles.nodes') as { cycleIndex: number }[] | undefined;
  const cycle = cycles?.find(({ cycleIndex }) => `${cycleIndex}` === savedValue(demoRun, 'cycle'));
  expectEqualValues('whether the next order is skipped', false, valueAtPath(cycle, 'skipped'));
  expectEqualValues(
    'the date of the next order',
    nextOrderDate,
    valueAtPath(cycle, 'billingAttemptExpectedDate'),
  );
}

async function skipNextOrder(demoRun: DemoRun, shouldSkip: boolean): Promise<void> {
  const cycleIndex = Number(savedValue(demoRun, 'cycle'));
  const nextOrderDate = savedValue(demoRun, 'next');
  const variables = {
    id: savedValue(demoRun, 'contract'),
    index: cycleIndex,
    skip: shouldSkip,
    date: nextOrderDate,
  };
  const data = await sendCustomerRequest(demoRun, { query: SKIP_MUTATION, variables });
  const billingCycle = { cycleIndex, skipped: shouldSkip, billingAttemptExpectedDate: nextOrderDate };
  expectEqualValues(
    'subscriptionBillingCycleSkip',
    { billingCycle, userErrors: [] },
    valueAtPath(data, 'subscriptionBillingCycleSkip'),
  );
  demoRun.show.note(
    `The order for ${formatStoreDay(demoRun, nextOrderDate)} is ${shouldSkip ? 'skipped' : 'restored'}.`,
  );
}

async function expectForbiddenField(demoRun: DemoRun): Promise<void> {
  const variables = { id: savedValue(demoRun, 'contract') };
  expectEqualValues(
    'error',
    { code: 'FIELD_NOT_AVAILABLE', message: 'Field "note" is not available to customer accounts' },
    await expectRejection(sendCustomerRequest(demoRun, { query: NOTE_QUERY, variables })),
  );
}

async function expectOtherCustomersContractRefused(demoRun: DemoRun): Promise<void> {
  const variables = { id: savedValue(demoRun, 'foreignContract') };
  const { code } = await expectRejection(sendCustomerRequest(demoRun, { query: CONTRACT_QUERY, variables }));
  expectEqualValues('code', 'FORBIDDEN', code);
}

async function listSignIns(demoRun: DemoRun): Promise<void> {
  const tokenBefore = savedValue(demoRun, 'refreshToken');
  startedApp(demoRun).clock.aheadMs = HOUR_MS;
  const data = await sendCustomerRequest(demoRun, {
    query: SESSIONS_QUERY,
    variables: { id: customerGidByPosition(demoRun, 0) },
  });
  expectEqualValues('whether the tokens are new', true, savedValue(demoRun, 'refreshToken') !== tokenBefore);
  const sessions = valueAtPath(data, 'customer.sessions') as { isCurrent: boolean }[] | undefined;
  expectEqualValues(
    'the number of current sign-ins',
    1,
    sessions?.filter(({ isCurrent }) => isCurrent).length,
  );
  demoRun.show.note(
    `The customer is signed in on ${sessions?.length} device${sessions?.length === 1 ? '' : 's'}.`,
  );
}

async function signOut(demoRun: DemoRun): Promise<void> {
  const { client } = startedApp(demoRun);
  await client.signOut();
  // signOut does not wait for the service. resume waits until the service has received the sign-out.
  const session = await client.resume();
  expectEqualValues('session', { status: 'signedOut', endedByService: false }, session);
}

async function refreshAfterSignOut(demoRun: DemoRun): Promise<void> {
  const { baseUrl, shop, customers } = demoRun.stack;
  const refreshRequest = {
    shop,
    customerId: customers[0]?.id,
    refreshToken: savedValue(demoRun, 'refreshToken'),
  };
  const url = `${baseUrl}/headless-auth/refresh`;
  const { body } = await sendAndExpectStatus(demoRun, { method: 'POST', url, body: refreshRequest }, 401);
  expectEqualValues('code', 'INVALID_REFRESH_TOKEN', valueAtPath(body, 'error.code'));
}
