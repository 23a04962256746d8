/** `/_control/`: operations for tests and developers only. They are not part of the platform's protocol. */

import { BadControlInput, fieldsOf } from '../control/control-input.ts';
import { readFault } from '../control/read-fault.ts';
import { changeSettings, settingNames } from '../control/store-settings.ts';
import { type Answer, jsonAnswer, methodNotAllowed } from '../http/answer.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { newestCode } from '../sign-in/one-time-codes.ts';
import { type Rescheduling, reschedulings } from '../state/billing-cycles.ts';
import { seedMore } from '../state/seed/seed.ts';
import { seedGiven } from '../state/seed/seed-given.ts';
import type { StoreState } from '../state/state.ts';
import { accessWithout, knownScopes, protectedKinds, scopesOf } from '../state/store-access.ts';
import { setApp, setRedirectUris, setTokenExpiry } from './app-controls.ts';
import { setCard } from './card-control.ts';
import type { PlatformContext } from './platform-context.ts';
import {
  forgeWebhook,
  listWebhooks,
  sendCompliance,
  sendWebhooks,
  setAppWebhooks,
  setFaultProfile,
} from './webhook-controls.ts';

type PlatformControl = (context: PlatformContext, request: PlatformRequest) => unknown;

/** The controls by path and method. The result of a control is sent as JSON. */
const controls: Readonly<Record<string, Readonly<Record<string, PlatformControl>>>> = {
  reset: { POST: resetFromRequest },
  clock: { GET: showClock, POST: moveClock },
  'one-time-code': { GET: showCode },
  faults: { GET: ({ faults }) => faults.list(), POST: addFault, DELETE: ({ faults }) => faults.clear() },
  seed: { POST: seedFromRequest },
  requests: { GET: ({ requests }) => requests.list(), DELETE: ({ requests }) => requests.clear() },
  jwks: { POST: rotateSigningKeys },
  skew: { POST: setSkew },
  grant: { POST: atStore(setTokenExpiry) },
  app: { POST: atStore(setApp) },
  client: { POST: atStore(setRedirectUris) },
  rescheduling: { POST: setRescheduling },
  scopes: { POST: withholdAccess },
  settings: { POST: setSettings },
  webhooks: { GET: listWebhooks, POST: sendWebhooks },
  'webhook-weather': { POST: setFaultProfile },
  'app-webhooks': { POST: atStore(setAppWebhooks) },
  compliance: { POST: atStore(sendCompliance) },
  'forged-webhook': { POST: atStore(forgeWebhook) },
  card: { POST: atStore(setCard) },
};

type FindStore = (shop: unknown) => StoreState;

function atStore(
  control: (context: PlatformContext, request: PlatformRequest, storeOf: FindStore) => unknown,
): PlatformControl {
  return (context, request) => control(context, request, (shop) => findControlledStore(context, shop));
}

export async function answerControl(
  context: PlatformContext,
  request: PlatformRequest,
  name: string,
): Promise<Answer> {
  const methods = controls[name];
  if (methods === undefined) {
    return jsonAnswer(404, { error: `No such control. There are: ${Object.keys(controls).join(', ')}.` });
  }
  const control = methods[request.method];
  if (control === undefined) return methodNotAllowed(...Object.keys(methods));
  try {
    const done = (await control(context, request)) ?? { done: true };
    if (request.method !== 'GET') context.webhooks.notice();
    return jsonAnswer(200, done);
  } catch (error) {
    if (!(error instanceof BadControlInput)) throw error;
    return jsonAnswer(400, { error: error.message });
  }
}

function resetFromRequest(context: PlatformContext, { body }: PlatformRequest): void {
  fieldsOf(body, []);
  context.reset();
}

function showClock({ clock }: PlatformContext): unknown {
  return { now: new Date(clock.now()).toISOString() };
}

async function moveClock(context: PlatformContext, { body }: PlatformRequest): Promise<unknown> {
  const { now, advance } = fieldsOf(body, ['now', 'advance']);
  if ((now === undefined) === (advance === undefined)) {
    throw new BadControlInput('Give one of "now" (ISO 8601) and "advance" (seconds).');
  }
  if (now === undefined) {
    if (typeof advance !== 'number') throw new BadControlInput('"advance" is a number of seconds.');
    await context.clock.advance(advance);
  } else {
    await context.clock.set(readInstant(now));
  }
  return showClock(context);
}

function readInstant(value: unknown): number {
  const ms = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new BadControlInput('"now" is an instant such as 2027-01-31T08:00:00Z.');
  return ms;
}

function showCode(context: PlatformContext, { query }: PlatformRequest): unknown {
  const email = query.get('email')?.trim().toLowerCase();
  if (!email) throw new BadControlInput('Give the address as ?email=.');
  const codes = [...context.signIns.values()].map((signIn) => signIn.codes);
  const code = newestCode(codes, { email, nowMs: context.clock.now() });
  if (code === undefined) throw new BadControlInput(`No code is waiting for ${email}: ask for one first.`);
  return { code };
}

function addFault(context: PlatformContext, { body }: PlatformRequest): unknown {
  const fault = readFault(body, [...context.signIns.keys()]);
  context.faults.add(fault);
  return fault;
}

const COUNTED_SEEDS = ['contracts', 'customers'] as const;
const LISTED_SEEDS = ['products', 'sellingPlanGroups', 'subscriptions'] as const;

/** Adds contracts to the first store, and customers and listed objects to a store. Returns the new customers. */
function seedFromRequest(context: PlatformContext, { body }: PlatformRequest): unknown {
  const { shop, ...more } = fieldsOf(body, [...COUNTED_SEEDS, ...LISTED_SEEDS, 'shop']);
  for (const name of COUNTED_SEEDS) {
    const count = more[name] ?? 0;
    if (!Number.isInteger(count) || Number(count) < 0 || Number(count) > 100_000) {
      throw new BadControlInput(`"${name}" is a whole number from 0 to 100000.`);
    }
  }
  const unlisted = LISTED_SEEDS.find((name) => more[name] !== undefined && !Array.isArray(more[name]));
  if (unlisted !== undefined) throw new BadControlInput(`"${unlisted}" is a list.`);
  const store = findControlledStore(context, shop ?? context.state().stores.keys().next().value);
  const customers = seedMore(context.state(), more, store.shop);
  try {
    seedGiven(store, more, context.clock.now());
  } catch (error) {
    throw new BadControlInput(`What is listed cannot be seeded: ${String(error)}`);
  }
  context.stateChanged();
  return { customers };
}

async function rotateSigningKeys(context: PlatformContext, { body }: PlatformRequest): Promise<void> {
  const { keepOld: keepsOld = true } = fieldsOf(body, ['keepOld']);
  if (typeof keepsOld !== 'boolean') throw new BadControlInput('"keepOld" is true or false.');
  await Promise.all([...context.signIns.values()].map((signIn) => signIn.rotate(keepsOld)));
}

function setSkew(context: PlatformContext, { body }: PlatformRequest): void {
  const { seconds } = fieldsOf(body, ['seconds']);
  if (!Number.isInteger(seconds))
    throw new BadControlInput('"seconds" is a whole number, below 0 for the past.');
  context.skew.seconds = Number(seconds);
}

/** Sets how the store's contracts apply a new interval: see `Rescheduling`. */
function setRescheduling(context: PlatformContext, { body }: PlatformRequest): void {
  const { shop, rescheduling } = fieldsOf(body, ['shop', 'rescheduling']);
  const store = findControlledStore(context, shop);
  if (!reschedulings.includes(rescheduling as Rescheduling)) {
    throw new BadControlInput(`"rescheduling" is one of: ${reschedulings.join(', ')}.`);
  }
  store.rescheduling = rescheduling as Rescheduling;
  context.stateChanged();
}

/**
 * Sets the scopes and kinds of protected customer data that the app lacks in the store; all others are granted. A write
 * scope includes the read scope, so both have to be withheld.
 */
function withholdAccess(context: PlatformContext, { body }: PlatformRequest): void {
  const { shop, withheld = [], withheldData = [] } = fieldsOf(body, ['shop', 'withheld', 'withheldData']);
  const store = findControlledStore(context, shop);
  const previous = scopesOf(store);
  store.access = accessWithout({
    scopes: readKnownNames(Object.keys(knownScopes), withheld, 'withheld'),
    data: readKnownNames(protectedKinds, withheldData, 'withheldData'),
  });
  const current = scopesOf(store);
  if (String(previous) !== String(current)) context.webhooks.sendScopes(store, previous, current);
  context.stateChanged();
}

function readKnownNames<One extends string>(all: readonly One[], given: unknown, name: string): One[] {
  if (Array.isArray(given) && given.every((one) => all.includes(one))) return given;
  throw new BadControlInput(`"${name}" is a list of: ${all.join(', ')}.`);
}

function setSettings(context: PlatformContext, { body }: PlatformRequest): void {
  const { shop, ...given } = fieldsOf(body, ['shop', ...settingNames]);
  changeSettings(findControlledStore(context, shop), given);
  context.stateChanged();
}

function findControlledStore(context: PlatformContext, shop: unknown): StoreState {
  const store = context.state().stores.get(String(shop));
  if (store !== undefined) return store;
  throw new BadControlInput(`"shop" is one of: ${[...context.state().stores.keys()].join(', ')}.`);
}
