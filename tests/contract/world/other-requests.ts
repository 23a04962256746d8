/**
 * Requests of another store's customers and server that are always under way while contract tests run, so that the tests
 * share each process with them.
 */

import type { TestStack } from '../../stack.ts';
import { MANY_POINTS } from '../../stack-control.ts';
import { ask, signIn } from './service-client.ts';

/** Whether the tests of this file run among other requests. */
export const isAmongOthers = process.env.AMONG_OTHER_REQUESTS === 'yes';

/** The other requests to each of the two GraphQL functions. */
const REQUESTS = 63;
const EMAILS = ['erin@example.com', 'femi@example.com', 'gwen@example.com'];
/** So long takes the platform, and so many responses are slow. */
const [RESPONSE_MS, RESPONSES] = [4_000, 1_000_000];
const CUSTOMER = `query ($id: ID!) { customer(id: $id) { id email subscriptionContracts(first: 5) { nodes { id nextOrder { date } } } } }`;

export type OtherRequests = {
  /** The responses so far. */
  count(): number;
  /** Ends all requests, and returns what was wrong with a response. */
  stop(): Promise<string[]>;
};

/** Lets the platform respond slowly to the requests, so that the tests' own requests get most of the processor. */
export async function slowOtherRequests({ control, stores: [, store] }: TestStack): Promise<void> {
  if (store === undefined) throw new Error('There is no other store.');
  await control.faults({ target: 'admin', shop: store.shop, count: RESPONSES, delayMs: RESPONSE_MS });
}

/** Starts the requests; resolves when all are under way. */
export async function startOtherRequests(stack: TestStack): Promise<OtherRequests> {
  const [, store] = stack.stores;
  if (store === undefined) throw new Error('There is no other store.');
  const other = { ...stack, ...store };
  await stack.control.throttle(store.shop, MANY_POINTS);
  const state = { isEnded: false, count: 0 };
  const wrong: string[] = [];
  const requestUntilEnded = async (request: () => Promise<string | undefined>) => {
    while (!state.isEnded) {
      const problem = await request().catch(String);
      if (problem !== undefined && !state.isEnded) wrong.push(problem);
      state.count++;
    }
  };
  const people = await Promise.all(EMAILS.map((email) => startPerson(other, email)));
  await slowOtherRequests(stack);
  const all = Array.from({ length: REQUESTS }, (_, at) => {
    const person = people[at % people.length];
    if (person === undefined) throw new Error('There is no customer.');
    const { id, email } = person;
    const asCustomer = async () => {
      const { accessToken: bearer } = await person.tokens();
      const request = { bearer, query: CUSTOMER, variables: { id } };
      const { status, body } = await ask(stack, 'customer', request);
      if (status !== 401) return problemOf(status, body, { id, email });
      // The clock was moved beyond the token's life.
      await person.signInAgain(bearer);
      return undefined;
    };
    const asServer = async () => {
      const request = { bearer: store.adminKey, query: CUSTOMER, variables: { id } };
      const { status, body } = await ask(stack, 'admin', request);
      return problemOf(status, body, { id, email });
    };
    return [requestUntilEnded(asCustomer), requestUntilEnded(asServer)];
  }).flat();
  return {
    count: () => state.count,
    async stop() {
      state.isEnded = true;
      await Promise.all(all);
      return wrong;
    },
  };
}

/** A customer whose requests share one sign-in. */
async function startPerson(stack: TestStack, email: string) {
  const enter = () => signIn(stack, email).catch(() => signIn(stack, email));
  let signedIn = enter();
  const { customerId } = await signedIn;
  return {
    ...{ email, id: `gid://platform/Customer/${customerId}`, tokens: () => signedIn },
    /** Signs in again, unless another request has begun it. */
    async signInAgain(expired: string): Promise<void> {
      const before = signedIn;
      const { accessToken } = await before;
      if (accessToken === expired && signedIn === before) signedIn = enter();
      await signedIn;
    },
  };
}

/** A busy service may send a request away, but never with anything of somebody else. */
function problemOf(
  status: number,
  body: unknown,
  expected: { id: string; email: string },
): string | undefined {
  if (status === 429 || status === 503) return undefined;
  const { customer } = (body as { data?: { customer?: Partial<typeof expected> } }).data ?? {};
  if (status === 200 && customer?.id === expected.id && customer.email === expected.email) return undefined;
  return `${expected.email}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
}
