/**
 * A merchant's server: a small client of the admin endpoint, and a job over all subscriptions with it. Runs on
 * Node 20 or later, without packages: BASE_URL=… ADMIN_KEY=… node merchant-client.mjs
 */
import { setTimeout as wait } from 'node:timers/promises';

const ENDPOINT = '/api/admin/unstable/graphql.json';
const MAX_TRIES = 6;
const LONGEST_GUESS_SECONDS = 30;

/** Sends GraphQL with the key. Waits and tries again where that can help; throws on everything else. */
export function createClient({ baseUrl, adminKey }) {
  return async function ask(query, variables = {}, { customerId } = {}) {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(baseUrl + ENDPOINT, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${adminKey}`,
          'content-type': 'application/json',
          // The service then holds us to this one customer's data.
          ...(customerId && { 'x-platform-customer-gid': customerId }),
        },
        body: JSON.stringify({ query, variables }),
      });
      // What stands between us and the service may answer too, and not in JSON.
      const { data, errors } = await answer.json().catch(() => ({}));
      if (answer.ok && data && errors === undefined) return data;
      if (!canRepeat(answer.status, errors) || tries === MAX_TRIES) throw new Error(describe(answer, errors));
      await wait(waitMs(answer.headers.get('retry-after'), tries));
    }
  };
}

/**
 * 429 and 503 were not run; 500 and OUTCOME_UNKNOWN may have been: read before sending those again. A store that has
 * withdrawn its access, or never granted what is needed, stays so until its merchant acts: stop, and tell them.
 */
const FINAL = ['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED'];

function canRepeat(status, errors = []) {
  const isFinal = errors.some(({ extensions }) => FINAL.includes(extensions?.code));
  return (status === 429 || status === 503) && !isFinal;
}

/** What a mutation did not do is no HTTP error: it stands in its `userErrors`. */
export function requireDone(payload) {
  if (payload.userErrors.length === 0) return payload;
  throw new Error(payload.userErrors.map(({ field, message }) => `${field ?? ''} ${message}`).join('; '));
}

/**
 * Every subscription of the store, or those that were changed since a time, page after page; the oldest change first.
 * `keepPlace` is told a cursor behind each page that is done, null at the end: store it, and give it as `after` to go on.
 */
export async function* subscriptions(ask, { changedSince, after = null, keepPlace } = {}) {
  const query = `query ($after: String, $query: String) {
    subscriptionContracts(first: 50, after: $after, query: $query, sortKey: UPDATED_AT) {
      nodes { id status updatedAt nextBillingDate }
      pageInfo { hasNextPage endCursor }
    }
  }`;
  const changed = changedSince && `updated_at:>='${changedSince.toISOString()}'`;
  let cursor = after;
  do {
    const { subscriptionContracts } = await ask(query, { after: cursor, query: changed });
    yield* subscriptionContracts.nodes;
    const { hasNextPage, endCursor } = subscriptionContracts.pageInfo;
    cursor = hasNextPage ? endCursor : null;
    await keepPlace?.(cursor);
  } while (cursor !== null);
}

/** As long as the service says; else twice as long each time. Spread, so that many jobs do not come back at once. */
export function waitMs(retryAfter, tries) {
  const guess = Math.min(2 ** (tries - 1), LONGEST_GUESS_SECONDS);
  const said = Number(retryAfter ?? guess);
  return (Number.isFinite(said) ? said : guess) * 1000 * (1 + Math.random() / 4);
}

/** With the id that is quoted to whoever runs the service. */
function describe({ status, headers }, errors) {
  const words = (errors ?? []).map(({ message, extensions }) =>
    [extensions?.code, message, extensions?.details].filter(Boolean).join(': '),
  );
  return `status ${status}, request ${headers.get('x-request-id')}: ${words.join('; ')}`;
}

if (import.meta.main ?? process.argv[1]?.endsWith('merchant-client.mjs')) {
  // biome-ignore lint/style/noProcessEnv: a server reads its key from the environment or a secret store.
  const { BASE_URL: baseUrl, ADMIN_KEY: adminKey } = process.env;
  if (!baseUrl || !adminKey) throw new Error('Set BASE_URL and ADMIN_KEY.');
  const counts = {};
  for await (const { status } of subscriptions(createClient({ baseUrl, adminKey }))) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
