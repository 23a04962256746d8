/** `/_control/`: operations for tests and developers only. They are not part of the platform's protocol. */

import { InvalidControlInput, parseControlFields, parseInstant } from '../control/control-input.ts';
import { parsePlatformFault } from '../control/parse-platform-fault.ts';
import { applyStoreSettings, settingNames } from '../control/store-settings.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import {
  createJsonResponse,
  createMethodNotAllowedResponse,
  type PlatformResponse,
} from '../http/response.ts';
import { findNewestCode } from '../sign-in/one-time-codes.ts';
import { RESCHEDULING_KINDS, type ReschedulingRule } from '../state/billing-cycles.ts';
import { addSeededRecords } from '../state/seed/seed.ts';
import { addRequestedSeeds } from '../state/seed/seed-from-request.ts';
import type { StoreState } from '../state/state.ts';
import {
  createAccessWithout,
  KNOWN_SCOPES,
  listGrantedScopes,
  PROTECTED_DATA_KINDS,
} from '../state/store-access.ts';
import { changeAppFromRequest, setRedirectUris, setTokenExpiry } from './app-controls.ts';
import { setCardAnswers, setOutcomeScript } from './card-control.ts';
import { addServerRequests, listServerRequests } from './other-server-control.ts';
import type { PlatformContext } from './platform-context.ts';
import {
  forgeWebhook,
  listWebhooks,
  sendCompliance,
  sendWebhooks,
  setAppWebhooks,
  setRandomFaults,
} from './webhook-controls.ts';

type PlatformControl = (context: PlatformContext, request: PlatformRequest) => unknown;

/** The controls by path and method. The result of a control is sent as JSON. */
const CONTROLS_BY_PATH: Readonly<Record<string, Readonly<Record<string, PlatformControl>>>> = {
  reset: { POST: resetPlatformState },
  clock: { GET: describeClock, POST: moveClock },
  'one-time-code': { GET: findSignInCode },
  faults: { GET: ({ faults }) => faults.list(), POST: addFault, DELETE: ({ faults }) => faults.clear() },
  seed: { POST: addSeeds },
  requests: { GET: ({ requests }) => requests.list(), DELETE: ({ requests }) => requests.clear() },
  jwks: { POST: rotateSigningKeys },
  skew: { POST: setIdTokenSkew },
  grant: { POST: withStoreLookup(setTokenExpiry) },
  app: { POST: withStoreLookup(changeAppFromRequest) },
  client: { POST: withStoreLookup(setRedirectUris) },
  rescheduling: { POST: setRescheduling },
  scopes: { POST: withholdAccess },
  settings: { POST: setStoreSettings },
  webhooks: { GET: listWebhooks, POST: sendWebhooks },
  'webhook-weather': { POST: setRandomFaults },
  'app-webhooks': { POST: withStoreLookup(setAppWebhooks) },
  compliance: { POST: withStoreLookup(sendCompliance) },
  'forged-webhook': { POST: withStoreLookup(forgeWebhook) },
  card: { POST: withStoreLookup(setCardAnswers) },
  'other-server': {
    GET: listServerRequests,
    POST: withStoreLookup(addServerRequests),
    DELETE: ({ otherServer }) => otherServer.clear(),
  },
  outcomes: { POST: withStoreLookup(setOutcomeScript) },
};

type FindStore = (shop: unknown) => StoreState;

function withStoreLookup(
  control: (context: PlatformContext, request: PlatformRequest, storeOf: FindStore) => unknown,
): PlatformControl {
  return (context, request) => control(context, request, (shop) => findControlledStore(context, shop));
}

export async function handleControl(
  context: PlatformContext,
  request: PlatformRequest,
  name: string,
): Promise<PlatformResponse> {
  const controlByMethod = CONTROLS_BY_PATH[name];
  if (controlByMethod === undefined) {
    return createJsonResponse(404, {
      error: `No such control. There are: ${Object.keys(CONTROLS_BY_PATH).join(', ')}.`,
    });
  }
  const runControl = controlByMethod[request.method];
  if (runControl === undefined) return createMethodNotAllowedResponse(...Object.keys(controlByMethod));
  try {
    const controlResult = (await runControl(context, request)) ?? { done: true };
    await context.otherServer.sendDue();
    if (request.method !== 'GET') context.webhooks.enqueueChanges();
    return createJsonResponse(200, controlResult);
  } catch (error) {
    if (!(error instanceof InvalidControlInput)) throw error;
    return createJsonResponse(400, { error: error.message });
  }
}

function resetPlatformState(context: PlatformContext, { body }: PlatformRequest): void {
  parseControlFields(body, []);
  context.reset();
}

function describeClock({ clock }: PlatformContext): unknown {
  return { now: new Date(clock.now()).toISOString() };
}

async function moveClock(context: PlatformContext, { body }: PlatformRequest): Promise<unknown> {
  const { now, advance } = parseControlFields(body, ['now', 'advance']);
  if ((now === undefined) === (advance === undefined)) {
    throw new InvalidControlInput('Give one of "now" (ISO 8601) and "advance" (seconds).');
  }
  if (now === undefined) {
    if (typeof advance !== 'number') throw new InvalidControlInput('"advance" is a number of seconds.');
    await context.clock.advance(advance);
  } else {
    await context.clock.set(parseInstant('now', now));
  }
  return describeClock(context);
}

function findSignInCode(context: PlatformContext, { query }: PlatformRequest): unknown {
  const email = query.get('email')?.trim().toLowerCase();
  if (!email) throw new InvalidControlInput('Give the address as ?email=.');
  const storeCodes = [...context.signIns.values()].map((signIn) => signIn.codes);
  const code = findNewestCode(storeCodes, { email, nowMs: context.clock.now() });
  if (code === undefined)
    throw new InvalidControlInput(`No code is waiting for ${email}: ask for one first.`);
  return { code };
}

function addFault(context: PlatformContext, { body }: PlatformRequest): unknown {
  const platformFault = parsePlatformFault(body, [...context.signIns.keys()]);
  context.faults.add(platformFault);
  return platformFault;
}

const SEEDS_GIVEN_AS_COUNTS = ['contracts', 'customers'] as const;
const SEEDS_GIVEN_AS_LISTS = ['products', 'sellingPlanGroups', 'subscriptions'] as const;

/**
 * Adds the requested number of contracts to the first store. Adds customers, products, selling plan groups and
 * subscriptions to the named store, by default the first. Returns the new customers.
 */
function addSeeds(context: PlatformContext, { body }: PlatformRequest): unknown {
  const { shop, ...seedFields } = parseControlFields(body, [
    ...SEEDS_GIVEN_AS_COUNTS,
    ...SEEDS_GIVEN_AS_LISTS,
    'shop',
  ]);
  for (const name of SEEDS_GIVEN_AS_COUNTS) {
    const seedCount = seedFields[name] ?? 0;
    if (!Number.isInteger(seedCount) || Number(seedCount) < 0 || Number(seedCount) > 100_000) {
      throw new InvalidControlInput(`"${name}" is a whole number from 0 to 100000.`);
    }
  }
  const wrongSeed = SEEDS_GIVEN_AS_LISTS.find(
    (name) => seedFields[name] !== undefined && !Array.isArray(seedFields[name]),
  );
  if (wrongSeed !== undefined) throw new InvalidControlInput(`"${wrongSeed}" is a list.`);
  const store = findControlledStore(context, shop ?? context.state().stores.keys().next().value);
  const customers = addSeededRecords(context.state(), seedFields, store.shop);
  try {
    addRequestedSeeds(store, seedFields, context.clock.now());
  } catch (error) {
    throw new InvalidControlInput(`What is listed cannot be seeded: ${String(error)}`);
  }
  context.stateChanged();
  return { customers };
}

function rotateSigningKeys(context: PlatformContext, { body }: PlatformRequest): void {
  const { keepOld: keepsOld = true } = parseControlFields(body, ['keepOld']);
  if (typeof keepsOld !== 'boolean') throw new InvalidControlInput('"keepOld" is true or false.');
  for (const signIn of context.signIns.values()) signIn.rotate(keepsOld);
}

function setIdTokenSkew(context: PlatformContext, { body }: PlatformRequest): void {
  const { seconds } = parseControlFields(body, ['seconds']);
  if (!Number.isInteger(seconds))
    throw new InvalidControlInput('"seconds" is a whole number, below 0 for the past.');
  context.skew.seconds = Number(seconds);
}

/** Sets how the store's contracts apply a new interval: see `ReschedulingRule`. */
function setRescheduling(context: PlatformContext, { body }: PlatformRequest): void {
  const { shop, rescheduling } = parseControlFields(body, ['shop', 'rescheduling']);
  const store = findControlledStore(context, shop);
  if (!RESCHEDULING_KINDS.includes(rescheduling as ReschedulingRule)) {
    throw new InvalidControlInput(`"rescheduling" is one of: ${RESCHEDULING_KINDS.join(', ')}.`);
  }
  store.rescheduling = rescheduling as ReschedulingRule;
  context.stateChanged();
}

/**
 * Sets the scopes and kinds of protected customer data that the app lacks in the store; all others are granted. A write
 * scope includes the read scope, so both have to be withheld.
 */
function withholdAccess(context: PlatformContext, { body }: PlatformRequest): void {
  const {
    shop,
    withheld = [],
    withheldData = [],
  } = parseControlFields(body, ['shop', 'withheld', 'withheldData']);
  const store = findControlledStore(context, shop);
  const scopesBefore = listGrantedScopes(store);
  store.access = createAccessWithout({
    scopes: parseKnownNames(Object.keys(KNOWN_SCOPES), withheld, 'withheld'),
    data: parseKnownNames(PROTECTED_DATA_KINDS, withheldData, 'withheldData'),
  });
  const scopesAfter = listGrantedScopes(store);
  if (String(scopesBefore) !== String(scopesAfter))
    context.webhooks.sendScopes(store, scopesBefore, scopesAfter);
  context.stateChanged();
}

function parseKnownNames<Name extends string>(
  knownNames: readonly Name[],
  givenNames: unknown,
  name: string,
): Name[] {
  if (Array.isArray(givenNames) && givenNames.every((givenName) => knownNames.includes(givenName)))
    return givenNames;
  throw new InvalidControlInput(`"${name}" is a list of: ${knownNames.join(', ')}.`);
}

function setStoreSettings(context: PlatformContext, { body }: PlatformRequest): void {
  const { shop, ...settings } = parseControlFields(body, ['shop', ...settingNames]);
  applyStoreSettings(findControlledStore(context, shop), settings);
  context.stateChanged();
}

function findControlledStore(context: PlatformContext, shop: unknown): StoreState {
  const store = context.state().stores.get(String(shop));
  if (store !== undefined) return store;
  throw new InvalidControlInput(`"shop" is one of: ${[...context.state().stores.keys()].join(', ')}.`);
}
