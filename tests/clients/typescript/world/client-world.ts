/**
 * Phones and tabs with the real client, in simulated time, before the service's real use cases of refresh and revoke
 * (tests/lib/sign-in/world/simulation.ts). The network and the storage fail as a test says, at any step.
 */
import type { Environment } from '../../../../clients/typescript/src/client.ts';
import { createCustomerCore } from '../../../../clients/typescript/src/customer-core.ts';
import { errorCatalogue } from '../../../../lib/errors/catalogue.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { revokePresentedSession } from '../../../../lib/sign-in/sessions/revoke-presented-session.ts';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { createSimulation } from '../../../lib/sign-in/world/simulation.ts';
import { SHOP } from '../../../lib/sign-in/world/world.ts';
import { createTimeline } from './timeline.ts';

/**
 * The outcome of a request. `lost`: processed, the response is lost. `late`: processed, the response arrives after 20
 * s. `hangs`: neither processed nor answered. `portal`: another server's page with status 200. `refused`: such a page
 * with status 401.
 */
export const NETWORK_FAULTS = [
  'offline',
  'lost',
  'late',
  'hangs',
  'portal',
  'refused',
  'busy',
  'cut',
] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number] | undefined;
/** `before`: not done, and thrown. `after`: done, and thrown. `slow`: done after 15 s. */
export const STORAGE_FAULTS = ['before', 'after', 'slow'] as const;
export type StorageFault = (typeof STORAGE_FAULTS)[number] | undefined;

export const REDIRECT_URI = 'shop.81234567001.app://callback';
const DAY_MS = 86_400_000;

export type ClientWorld = Awaited<ReturnType<typeof createClientWorld>>;
export type Phone = ReturnType<ClientWorld['createPhone']>;
export type Tab = ReturnType<Phone['open']>;
type Body = { readonly customerId: never; readonly refreshToken: string; readonly code: string };

export async function createClientWorld(random: () => number = () => 0.5) {
  const service = await createSimulation(random);
  const time = createTimeline(service.clock.nowMs);
  const inService = <Result>(work: () => Result): Result => {
    service.clock.nowMs = time.now();
    return work();
  };
  const exchanged = new Map<string, TokenPair>();
  let started = 0;

  const endpoints: Record<string, (body: Body, credential: string) => Promise<object>> = {
    'POST /headless-auth/start': async () => {
      started++;
      return {
        authUrl: `https://platform.example/authorize?state=s${started}`,
        ...{ state: `s${started}`, verifier: `v${started}`, nonce: `n${started}`, redirectUri: REDIRECT_URI },
      };
    },
    'POST /headless-auth/exchange': async ({ code }) => {
      const pair = exchanged.get(code) ?? (await service.signIn());
      exchanged.set(code, pair);
      const { generation, confirmedGeneration } = await service.session(pair);
      // As the service: what was used is not given twice (docs/sign-in.md), and such a code may be stolen.
      if (generation === 1 && confirmedGeneration === 0) return pair;
      await revokePresentedSession(service.deps, { shop: SHOP, ...pair });
      throw new ServiceError('INVALID_NONCE');
    },
    'POST /headless-auth/refresh': async (body) => service.refresh(body as unknown as TokenPair),
    'DELETE /headless-auth/revoke': (body) => revokePresentedSession(service.deps, { shop: SHOP, ...body }),
    'POST /api/storefront/unstable/graphql.json': async (_, accessToken) => {
      await service.use({ accessToken } as TokenPair);
      return { data: { ok: true } };
    },
  };

  type Sent = { readonly key: string; readonly body: Body; readonly credential: string };
  async function answer({ key, body, credential }: Sent) {
    try {
      const json = await inService(() => endpoints[key]?.(body, credential));
      return { status: 200, json };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code } = error;
      const isGraphql = key.includes('graphql');
      const json = isGraphql ? { errors: [{ extensions: { code } }] } : { error: { code, message: code } };
      return { status: errorCatalogue[code].status, json };
    }
  }

  /** A device: its storage outlives its tabs. `skewMs`: how wrong its clock is. */
  function createPhone({ skewMs = 0, hasLocks = false } = {}) {
    const texts = new Map<string, string>();
    const faults = {
      network: (_path: string): NetworkFault => undefined,
      storage: (_operation: string): StorageFault => undefined,
      storageMs: 0,
    };
    /** `most`: at once, of one tab. */
    const refreshes = { maximum: 0, all: 0 };
    /** Every session that was stored, in order. */
    const written: TokenPair[] = [];
    const locks = hasLocks ? createLocks() : undefined;

    /** A tab of the browser, or one run of the app. */
    function open(signInPages: (url: string) => Promise<string | null> = async () => null) {
      let isSessionActive = true;
      let refreshing = 0;
      /** A killed tab receives no results. */
      const whileAlive = <Result>(promise: Promise<Result>): Promise<Result> =>
        new Promise((resolve, reject) => {
          promise.then(
            (value) => isSessionActive && resolve(value),
            (error) => isSessionActive && reject(error),
          );
        });

      async function store<Result>(operation: string, work: () => Result): Promise<Result> {
        if (faults.storageMs > 0) await time.sleep(faults.storageMs);
        const fault = faults.storage(operation);
        if (fault === 'before') throw new Error('The storage is locked.');
        if (fault === 'slow') await time.sleep(15_000);
        if (!isSessionActive) return new Promise(() => undefined);
        const result = work();
        if (fault === 'after') throw new Error('The storage is full.');
        return result;
      }

      const environment: Environment = {
        now: () => time.now() + skewMs,
        setTimer: (work, ms) => time.setTimer(() => isSessionActive && work(), ms),
        random,
        createKey: () => `key-${random()}`,
        locks: locks && {
          request: (name, options, work) =>
            locks(name, { ...options, isSessionActive: () => isSessionActive }, work),
        },
        fetch: (url, init) => {
          const key = `${init.method} ${new URL(url).pathname}`;
          const credential = (init.headers.authorization ?? '').replace('Bearer ', '');
          const sent = { key, body: JSON.parse(init.body) as Body, credential };
          const fault = faults.network(new URL(url).pathname);
          const isRefresh = key.endsWith('/refresh');
          if (isRefresh) refreshes.maximum = Math.max(refreshes.maximum, ++refreshing);
          if (isRefresh) refreshes.all++;
          const carried = carry(sent, fault, init.signal as AbortSignal).finally(() => {
            if (isRefresh) refreshing--;
          });
          return whileAlive(carried);
        },
      };
      const client = createCustomerCore({
        serviceUrl: 'https://service.example',
        shop: SHOP,
        storage: {
          get: (key) => whileAlive(store('get', () => texts.get(key) ?? null)),
          set: (key, text) =>
            whileAlive(
              store('set', () => {
                texts.set(key, text);
                // The mark of a session that the service has ended has no tokens.
                if (key.endsWith('.session') && text.includes('refreshToken')) written.push(JSON.parse(text));
              }),
            ),
          remove: (key) => whileAlive(store('remove', () => void texts.delete(key))),
        },
        openBrowser: ({ authUrl }) => signInPages(authUrl),
        environment,
      });
      return {
        client,
        kill() {
          isSessionActive = false;
        },
      };
    }
    return { open, texts, faults, refreshes, written };
  }

  async function carry(sent: Sent, fault: NetworkFault, signal: AbortSignal) {
    const stopped = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('Aborted')));
    });
    const go = async () => {
      await time.sleep(50 + 100 * random());
      if (fault === 'offline') throw new TypeError('Network request failed');
      if (fault === 'hangs') await new Promise(() => undefined);
      if (fault === 'portal') return toResponse(200, '<html>Log in to the hotel</html>');
      if (fault === 'refused') return toResponse(401, '<html>Log in to the hotel</html>');
      if (fault === 'busy') return toResponse(503, '{"message":"Service Unavailable"}');
      const { status, json } = await answer(sent);
      if (fault === 'lost') throw new TypeError('Network request failed');
      await time.sleep(fault === 'late' ? 20_000 : 50 + 100 * random());
      const text = JSON.stringify(json);
      return toResponse(status, fault === 'cut' ? text.slice(0, -3) : text);
    };
    return Promise.race([go(), stopped]);
  }

  return { time, service, createPhone, dayMs: DAY_MS };
}

function toResponse(status: number, text: string) {
  return { status, headers: new Headers(), text: async () => text };
}

/** The Web Locks of one browser: a tab that is killed lets go. */
function createLocks() {
  type Waiting = { readonly begin: () => void; readonly isSessionActive: () => boolean };
  const queue: Waiting[] = [];
  let holder: Waiting | undefined;
  const next = () => {
    if (holder?.isSessionActive()) return;
    holder = queue.shift();
    holder?.begin();
  };
  return <Result>(
    _name: string,
    { signal, isSessionActive }: { signal: unknown; isSessionActive: () => boolean },
    work: () => Promise<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isSessionActive,
        begin: () => {
          work()
            .then(resolve, reject)
            .finally(() => {
              if (holder === waiting) holder = undefined;
              next();
            });
        },
      };
      queue.push(waiting);
      (signal as AbortSignal).addEventListener('abort', () => {
        const index = queue.indexOf(waiting);
        if (index < 0) return;
        queue.splice(index, 1);
        reject(new Error('AbortError'));
      });
      next();
    });
}

/** Returns the redirect address of the started sign-in. */
export function callbackOf(authUrl: string, code = `c${authUrl.split('=')[1]}`): string {
  return `${REDIRECT_URI}?code=${code}&state=${authUrl.split('=')[1]}`;
}
