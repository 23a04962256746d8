/**
 * The emulated commerce platform, a third party to the service. It implements the platform's protocol, does not depend
 * on the service, and adds `/_control/` for tests.
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPlatformContext, type PlatformMemory } from './create-platform-context.ts';
import { describePlatform, type PlatformDescription } from './describe-platform.ts';
import { type AppForm, type AppGrants, changeApp } from './grants/app-grants.ts';
import type { PlatformContext } from './server/platform-context.ts';
import { createPlatformServer } from './server/platform-server.ts';
import { restoreSignIn, toStoredSignInJson } from './sign-in/stored-sign-in.ts';
import { PLATFORM_LIFETIMES, type TokenLifetimes } from './sign-in/token-lifetimes.ts';
import { restoreState, serializeState } from './snapshot.ts';
import type { PlatformClock } from './state/platform-clock.ts';
import { createSeededState } from './state/seed/seed.ts';
import type { PlatformState } from './state/state.ts';
import { createStateFile, readStateFile } from './state-file.ts';

export type PlatformOptions = {
  /** The port on the loopback address; 0 picks a free one. */
  readonly port: number;
  /** The folder that stores the platform's state across restarts; without it nothing is stored. */
  readonly dataDir?: string;
  readonly clock: PlatformClock;
  /** Prints lines for the terminal: codes that were sent, refused token requests. */
  readonly announce?: (line: string) => void;
  readonly tokenLifetimes?: Partial<TokenLifetimes>;
  /** The app's form in all stores when nothing is stored; undefined for the seed's tokens, which do not expire. */
  readonly appForm?: AppForm | undefined;
  /** The number of contracts of the first store's customer who has the most; 250 by default. */
  readonly contracts?: number | undefined;
};

export type Platform = PlatformDescription & { readonly url: string; close(): Promise<void> };

/** Starts the platform. Rejects as `listenOnPort` does (EADDRINUSE), or with a sentence when stored data cannot be read. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dataDir, clock, announce = () => undefined } = options;
  const statePath = dataDir === undefined ? undefined : join(dataDir, 'platform-state.json');
  const signInPath = dataDir === undefined ? undefined : join(dataDir, 'platform-sign-in.json');
  const storedState = readStateFile(statePath);
  const platformMemory: PlatformMemory = {
    state:
      storedState === undefined
        ? createSeededState({ nowMs: clock.now(), contracts: options.contracts })
        : restoreState(storedState),
  };
  const storedSignIn = restoreSignIn(readStateFile(signInPath), [...platformMemory.state.stores.keys()]);
  let context: PlatformContext | undefined;
  const server = createPlatformServer(() => context);
  const origin = `http://127.0.0.1:${await listenOnPort(server, options.port)}`;
  const files = {
    state: createStateFile(statePath, () => serializeState(platformMemory.state)),
    signIn: createStateFile(signInPath, () => toStoredSignInJson(storedSignIn)),
  };
  const lifetimes = { ...PLATFORM_LIFETIMES, ...options.tokenLifetimes };
  if (options.appForm !== undefined) applyAppForm(storedSignIn.grants, platformMemory.state, options.appForm);
  context = createPlatformContext({
    ...{ origin, clock, announce, lifetimes, memory: platformMemory, storedSignIn, files },
    appForm: options.appForm,
  });
  files.state.scheduleWrite();
  files.signIn.scheduleWrite();
  return {
    url: origin,
    ...describePlatform(platformMemory.state, storedSignIn.grants),
    async close() {
      await closeServer(server);
      files.state.writeNow();
      files.signIn.writeNow();
    },
  };
}

function applyAppForm(grants: AppGrants, { stores }: PlatformState, form: AppForm): void {
  for (const store of stores.values()) {
    if (!grants.has(store.shop)) changeApp({ grants, store }, { form });
  }
}

function listenOnPort(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
