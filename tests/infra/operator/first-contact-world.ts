/** The steps of a first contact against the emulated platform, without table and command line. */

import type { Platform } from '../../../infra/emulators/platform/platform.ts';
import { Interrupted, type Played, playSteps } from '../../../infra/operator/first-contact/play-steps.ts';
import { readFacts } from '../../../infra/operator/first-contact/read-facts.ts';
import type { Finding } from '../../../infra/operator/first-contact/step.ts';
import { allSteps } from '../../../infra/operator/first-contact/steps/all-steps.ts';
import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createAdminClient } from '../../../lib/platform/admin-api/admin-client.ts';
import {
  type AdminRawAnswer,
  createSendAdminRequest,
} from '../../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../../lib/platform/admin-api/throttle-buckets.ts';
import { TransportError } from '../../../lib/platform/send-request.ts';
import { discoverSignIn } from '../../../lib/platform/sign-in/discover-sign-in.ts';
import { createSendSignInRequest } from '../../../lib/platform/sign-in/sign-in-request.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { createBrowser } from '../emulators/platform/browser.ts';
import type { Json } from '../emulators/platform/running-platform.ts';

export type FirstContactWorld = Awaited<ReturnType<typeof createFirstContactWorld>>;
export type PlayOptions = {
  readonly contracts?: readonly string[];
  readonly type?: (said: string) => Promise<string>;
  readonly isDryRun?: boolean;
  /** What happens to the n-th request, counted from 1, to the Admin API. */
  readonly breaks?: { readonly nth: number; readonly how: Break };
  readonly isLiveStore?: boolean;
  readonly save?: (played: readonly Played[]) => void;
  /** The grant names the app's client. */
  readonly hasApp?: boolean;
};

/** Lost on its way there or back, everything lost from there on, or the operator ends the run. */
export const breaks = ['before', 'after', 'gone', 'ended'] as const;
type Break = (typeof breaks)[number];

/** The contract that is measured unless another is named. */
export const MONTHLY = 'gid://shopify/SubscriptionContract/9101002';
const LOOK = `{ subscriptionContract(id: "${MONTHLY}") { status billingPolicy { interval intervalCount } deliveryPolicy { interval intervalCount }
        lines(first: 9) { nodes { id quantity currentPrice { amount } } } discounts(first: 9) { nodes { title } } orders(first: 99) { nodes { id } } }
      subscriptionBillingCycles(contractId: "${MONTHLY}", first: 9) { nodes { cycleIndex cycleEndAt cycleStartAt billingAttemptExpectedDate skipped edited status } }
      shop { storefrontAccessTokens(first: 9) { nodes { title } } } }`;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

type RunningPlatform = Pick<Platform, 'url' | 'stores'>;

/** Over a platform that runs, whose first store is measured. */
export async function createFirstContactWorld(platform: RunningPlatform) {
  const [{ shop, clientId, accessToken } = { shop: '', clientId: '', accessToken: '' }] = platform.stores;
  const platformOrigin = `${platform.url}/{shop}`;
  const adminUrl = `${platform.url}/${shop}/admin/api/2026-07/graphql.json`;
  const send = createSendSignInRequest({ platformOrigin });
  const domain = shop as ShopDomain;
  const signIn = await discoverSignIn({ send, platformOrigin }, domain);
  const store = {
    ...{ shopId: 81234567001 as ShopId, domain, clientId, signIn },
    ...{ status: 'installed', storefrontUrl: 'https://harbor-coffee.example', displayName: 'Harbor Coffee' },
  } as StoreRecord;
  const token = { accessToken, versionId: 'one' };
  const grants = { read: async () => token, renew: async () => token };

  const sendAdminRequest = createSendAdminRequest();

  /** Plays the steps of these names, each agreed to. */
  async function count(names: readonly string[], options: PlayOptions = {}) {
    const {
      contracts = ['9101002'],
      type,
      isDryRun = false,
      breaks,
      isLiveStore = false,
      save = () => undefined,
    } = options;
    const controller = new AbortController();
    const interrupt = () => controller.abort(new Interrupted('The run was ended.'));
    const said: string[] = [];
    const sent = { count: 0 };
    const appClientId = async () => (options.hasApp === false ? undefined : 'the-app');
    const reach = partsOf(async (post) => {
      const isPlaying = sent.count > 0;
      if (isPlaying) sent.count++;
      return breakSending(sent.count - 1, breaks, { send: () => sendAdminRequest(post), interrupt });
    });
    const parts = { ...reach, appClientId };
    const question = type && (() => type(said.join('\n')));
    const common = {
      store,
      isDryRun,
      signal: controller.signal,
      question,
      say: (words: string) => void said.push(words),
    };
    const facts = await readFacts(parts, { ...common, numbers: contracts, isLiveStore });
    sent.count = 1;
    const steps = allSteps.filter(({ name }) => names.includes(name));
    const agree = async () => true;
    const played = await playSteps({ ...common, ...facts, parts, steps, agree, save });
    return { played, requests: sent.count - 1 };
  }

  function partsOf(sendAdminRequest: ReturnType<typeof createSendAdminRequest>) {
    const now = Date.now;
    const wait = async () => undefined;
    const target = { platformOrigin, platformApiVersion: '2026-07', platformGidNamespace: 'shopify' };
    const sendAdmin = createAdminClient({
      ...{ ...target, send: sendAdminRequest, grants, logger: silent, now, wait },
      ...{ buckets: createThrottleBuckets({ now }), random: () => 0.5 },
    });
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    return { target, sendAdmin, sendAdminRequest, grants, send, now, random, wait };
  }

  const play = async (names: readonly string[], options?: PlayOptions): Promise<readonly Played[]> =>
    (await count(names, options)).played;

  return {
    platform,
    play,
    /** With the number of requests that went to the Admin API. */
    count,
    /** The finding of one step. */
    find: async (name: string, options?: PlayOptions) => {
      const [played] = await play([name], options);
      if (played === undefined) throw new Error(`no step ${name}`);
      return played.outcome as Finding;
    },
    control: (path: string, body: object) => control(platform, path, { shop, ...body }),
    setting: (settings: object) => control(platform, 'settings', { shop, ...settings }),
    reset: () => control(platform, 'reset', {}),
    /** What a shopper, its merchant and its accountant would see of the contract and of the store's tokens. */
    look: () => ask(adminUrl, accessToken, LOOK),
    fault: (body: object) => control(platform, 'faults', { count: 1, ...body }),
    /** What an outside look at the store tells. */
    ask: (query: string) => ask(adminUrl, accessToken, query),
    /** As a browser: the address that it ends at. */
    signInAt: (email: string) => (said: string) => signInAt(platform, said, email),
  };
}

type Sending = { readonly send: () => Promise<AdminRawAnswer>; readonly interrupt: () => void };

async function breakSending(
  count: number,
  breaking: PlayOptions['breaks'],
  { send, interrupt }: Sending,
): Promise<AdminRawAnswer> {
  const { nth, how } = breaking ?? { nth: 0, how: 'before' };
  const isHit = count === nth || (how === 'gone' && nth > 0 && count >= nth);
  if (!isHit || count < 1) return send();
  if (how === 'ended') interrupt();
  if (how === 'after') await send();
  if (how === 'ended') return send();
  throw new TransportError('Admin API', 'cut', true);
}

async function control({ url }: RunningPlatform, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/_control/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

async function signInAt({ url }: RunningPlatform, said: string, email: string): Promise<string> {
  const address = /http\S+/.exec(said)?.[0] ?? '';
  const browser = createBrowser();
  const asked = await browser.submit(await browser.open(address), 'email', { email });
  const sent = await fetch(`${url}/_control/one-time-code?email=${encodeURIComponent(email)}`);
  const { code } = (await sent.json()) as { code: string };
  return (await browser.submit(asked, 'code', { code })).url;
}

async function ask(url: string, accessToken: string, query: string): Promise<Json> {
  const headers = {
    'user-agent': 'test',
    'content-type': 'application/json',
    'x-shopify-access-token': accessToken,
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return ((await response.json()) as Json).data;
}

/** A contract of three deliveries in a payment, under a price of 30.00 that the platform has computed so. */
export async function prepaid(world: Pick<FirstContactWorld, 'ask'>, computed: string) {
  const line = `{ productVariantId: "gid://shopify/ProductVariant/810100201", quantity: 1, currentPrice: ${computed}, pricingPolicy: { basePrice: 15, cycleDiscounts: [{ adjustmentType: PRICE, adjustmentValue: { fixedValue: 30 }, afterCycle: 0, computedPrice: ${computed} }] } }`;
  const made = await world.ask(
    `mutation { subscriptionContractAtomicCreate(input: { customerId: "gid://shopify/Customer/7001001", currencyCode: USD, nextBillingDate: "2031-12-21T00:00:00Z",
      contract: { billingPolicy: { interval: MONTH, intervalCount: 3 }, deliveryPolicy: { interval: MONTH, intervalCount: 1 }, deliveryMethod: { shipping: { address: { address1: "8 Wharf Street", city: "Portland", countryCode: US } } } },
      lines: [{ line: ${line} }] }) { contract { id } userErrors { message } } }`,
  );
  const { contract } = made.subscriptionContractAtomicCreate as Json;
  return { contracts: [/\d+$/.exec(contract.id)?.[0] ?? ''] };
}
