/** Creates the parts of a platform and combines them into the context of all endpoints. */

import { createAdminApi } from './admin/endpoint/admin-api.ts';
import { createOtherServer } from './control/other-server.ts';
import { createPlatformFaultPlan } from './control/platform-fault-plan.ts';
import { createRequestLog } from './control/request-log.ts';
import type { AppForm } from './grants/app-grants.ts';
import type { PlatformContext } from './server/platform-context.ts';
import { createSignIns, type StoredSignIn } from './sign-in/stored-sign-in.ts';
import type { TokenLifetimes } from './sign-in/token-lifetimes.ts';
import type { PlatformClock } from './state/platform-clock.ts';
import { createSeededState } from './state/seed/seed.ts';
import type { PlatformState } from './state/state.ts';
import type { StateFile } from './state-file.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** The state, which a reset replaces completely. */
export type PlatformMemory = { state: PlatformState };

export type PlatformContextInput = {
  readonly origin: string;
  readonly clock: PlatformClock;
  readonly announce: (line: string) => void;
  readonly lifetimes: TokenLifetimes;
  readonly memory: PlatformMemory;
  readonly storedSignIn: StoredSignIn;
  /** The app's form in every store from the start. */
  readonly appForm?: AppForm | undefined;
  readonly files: { readonly state: StateFile; readonly signIn: StateFile };
};

export function createPlatformContext(input: PlatformContextInput): PlatformContext {
  const { origin, clock, announce, lifetimes, memory, storedSignIn, files } = input;
  const getState = () => memory.state;
  const clockSkew = { seconds: 0 };
  const signIns = createSignIns(storedSignIn, {
    state: getState,
    origin,
    lifetimes,
    announce,
    nowMs: clock.now,
    onChange: files.signIn.scheduleWrite,
    skewSeconds: () => clockSkew.seconds,
  });
  const { grants } = storedSignIn;
  const scheduleWrite = files.state.scheduleWrite;
  // Charges that end after a request of the other server are settled after it, so that it finds them still pending.
  const settleUntilMs = () => otherServer.settleUntilMs();
  const webhooks = createWebhooks({
    state: getState,
    clock,
    origin,
    grants,
    settleUntilMs,
    onChange: scheduleWrite,
  });
  const otherServer = createOtherServer({
    state: getState,
    clock,
    origin,
    webhooks,
    onChange: scheduleWrite,
  });
  const contextParts = {
    origin,
    clock,
    announce,
    lifetimes,
    state: getState,
    adminApi: createAdminApi({ state: getState, clock, origin: () => origin }),
    grants,
    signIns,
    faults: createPlatformFaultPlan(),
    requests: createRequestLog(),
    webhooks,
    otherServer,
    skew: clockSkew,
    stateChanged: files.state.scheduleWrite,
    signInChanged: files.signIn.scheduleWrite,
  };
  return { ...contextParts, reset: () => resetPlatform(contextParts, input) };
}

/** Clients, web pages, the seed's tokens and signing keys survive a reset, so an installed store stays installed. */
function resetPlatform(
  context: Omit<PlatformContext, 'reset'>,
  { memory, appForm }: PlatformContextInput,
): void {
  const { stores } = memory.state;
  memory.state = createSeededState({ nowMs: context.clock.now() });
  for (const store of memory.state.stores.values())
    store.webRedirectUris = stores.get(store.shop)?.webRedirectUris ?? [];
  for (const { records, codes } of context.signIns.values()) {
    records.clear();
    codes.clear();
  }
  // Tokens of other forms than the seed's cannot be issued again, so they survive.
  if (appForm === undefined) context.grants.clear();
  context.faults.clear();
  context.requests.clear();
  context.webhooks.reset();
  context.otherServer.clear();
  context.adminApi.reset();
  context.skew.seconds = 0;
  context.stateChanged();
  context.signInChanged();
}
