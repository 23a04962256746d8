/**
 * The emulated commerce platform: a third party to the service. It speaks the platform's wire protocol, knows
 * nothing of the service, and adds `/_control/` for tests. Everything is put together here.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdminApi } from './admin/admin-api.ts';
import { createFaults } from './control/faults.ts';
import { createRequestLog } from './control/request-log.ts';
import { createKeptFile, type KeptFile, readKeptFile } from './kept-file.ts';
import type { PlatformClock } from './platform-clock.ts';
import type { PlatformContext } from './server/platform-context.ts';
import { createPlatformServer } from './server/serve.ts';
import { type KeptSignIn, keepSignIn, makeSignIns, openKeptSignIn } from './sign-in/kept-sign-in.ts';
import { platformLifetimes, type TokenLifetimes } from './sign-in/token-lifetimes.ts';
import { type PlatformState, restoreState, seedState, snapshotState } from './state/state.ts';

export type { PlatformClock } from './platform-clock.ts';

export type PlatformOptions = {
  /** On the loopback address; 0 picks a free one. */
  readonly port: number;
  /** Where the platform's memory is kept across restarts. Absent: nowhere. */
  readonly dataDir?: string;
  readonly clock: PlatformClock;
  /** Lines for the terminal: codes sent, refused token requests. */
  readonly announce?: (line: string) => void;
  readonly tokenLifetimes?: Partial<TokenLifetimes>;
};

export type PlatformStore = {
  readonly shop: string;
  readonly shopId: number;
  readonly name: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly storefrontUrl: string;
  readonly portalPageId: string | null;
};

export type Platform = {
  readonly url: string;
  readonly stores: readonly PlatformStore[];
  /** Of the first store, in the seed's order. */
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  /** Of the first store, its first customer's first: `gid://platform/SubscriptionContract/<n>`. */
  readonly contracts: readonly string[];
  close(): Promise<void>;
};

/** Starts it. Rejects as `listen` does (EADDRINUSE), or with a sentence if kept data cannot be read. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dataDir, clock } = options;
  const statePath = dataDir === undefined ? undefined : join(dataDir, 'platform-state.json');
  const signInPath = dataDir === undefined ? undefined : join(dataDir, 'platform-sign-in.json');
  const keptState = readKeptFile(statePath);
  const memory: Memory = {
    state: keptState === undefined ? seedState({ nowMs: clock.now() }) : restoreState(keptState),
  };
  const keptSignIn = await openKeptSignIn(readKeptFile(signInPath), [...memory.state.stores.keys()]);
  let context: PlatformContext | undefined;
  const server = createPlatformServer(() => context);
  const origin = `http://127.0.0.1:${await listen(server, options.port)}`;
  const files = {
    state: createKeptFile(statePath, () => snapshotState(memory.state)),
    signIn: createKeptFile(signInPath, () => keepSignIn(keptSignIn)),
  };
  context = putTogether(options, { origin, memory, keptSignIn, files });
  files.state.touch();
  files.signIn.touch();
  return {
    url: origin,
    ...describe(memory.state),
    async close() {
      await close(server);
      files.state.flush();
      files.signIn.flush();
    },
  };
}

/** The state, which a reset replaces as a whole. */
type Memory = { state: PlatformState };

type Foundation = {
  readonly origin: string;
  readonly memory: Memory;
  readonly keptSignIn: KeptSignIn;
  readonly files: { readonly state: KeptFile; readonly signIn: KeptFile };
};

function putTogether(
  options: PlatformOptions,
  { origin, memory, keptSignIn, files }: Foundation,
): PlatformContext {
  const { clock, announce = () => undefined } = options;
  const lifetimes = { ...platformLifetimes, ...options.tokenLifetimes };
  const state = () => memory.state;
  const faults = createFaults();
  const requests = createRequestLog();
  const skew = { seconds: 0 };
  const adminApi = createAdminApi({ state, clock, origin: () => origin });
  const signInChanged = files.signIn.touch;
  const signIns = makeSignIns(keptSignIn, {
    state,
    origin,
    lifetimes,
    announce,
    nowMs: clock.now,
    changed: signInChanged,
    skewSeconds: () => skew.seconds,
  });
  function reset() {
    memory.state = seedState({ nowMs: clock.now() });
    for (const { records, codes } of signIns.values()) {
      records.clear();
      codes.clear();
    }
    keptSignIn.grants.clear();
    faults.clear();
    requests.clear();
    adminApi.reset();
    skew.seconds = 0;
    files.state.touch();
    signInChanged();
  }
  return {
    origin,
    clock,
    announce,
    lifetimes,
    state,
    adminApi,
    grants: keptSignIn.grants,
    signIns,
    faults,
    requests,
    skew,
    stateChanged: files.state.touch,
    signInChanged,
    reset,
  };
}

function describe({ stores }: PlatformState): Pick<Platform, 'stores' | 'customers' | 'contracts'> {
  const [first] = stores.values();
  const customers = [...(first?.customers.values() ?? [])];
  const contracts = [...(first?.contracts.values() ?? [])];
  const rank = new Map(customers.map(({ id }, index) => [id, index]));
  const byCustomer = contracts.toSorted(
    (one, other) => (rank.get(one.content.customerId) ?? 0) - (rank.get(other.content.customerId) ?? 0),
  );
  return {
    stores: [...stores.values()].map(
      ({ shop, shopId, name, clientId, accessToken, storefrontUrl, portalPageId }) => ({
        shop,
        shopId,
        name,
        clientId,
        accessToken,
        storefrontUrl,
        portalPageId,
      }),
    ),
    customers: customers.map(({ id, email }) => ({ id, email })),
    contracts: byCustomer.map(({ id }) => `gid://platform/SubscriptionContract/${id}`),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
