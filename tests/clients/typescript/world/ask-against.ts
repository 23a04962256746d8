/** A client with a function in place of the service, in simulated time. */
import {
  createMerchantClient,
  type Environment,
  type RequestOptions,
  type ServiceError,
} from '../../../../clients/typescript/src/client.ts';
import { type ErrorCode, errorCatalogue } from '../../../../lib/errors/catalogue.ts';
import { createTimeline } from './timeline.ts';

export type Answer = () => Promise<Response>;
type Sent = {
  readonly body: { readonly variables: Record<string, unknown> };
  readonly headers: Record<string, string>;
};
type SentRequest = {
  readonly document: string;
  readonly variables?: Record<string, unknown>;
  readonly options?: RequestOptions;
};

/**
 * Sends a request to a service that returns these responses in order, and then the last one forever. Returns the result
 * or the error, the waits, and the requests.
 */
export async function askAgainst(
  answers: readonly Answer[],
  { document, variables, options }: SentRequest,
  random = 0.5,
) {
  const time = createTimeline(0);
  const sent: Sent[] = [];
  const sentAtMs: number[] = [];
  const signals: AbortSignal[] = [];
  let keys = 0;
  const environment: Partial<Environment> = {
    now: time.now,
    setTimer: time.setTimer,
    random: () => random,
    createKey: () => `key-${++keys}`,
    async fetch(_, { body, headers, signal }) {
      signals.push(signal as AbortSignal);
      const answer = answers[Math.min(sent.length, answers.length - 1)] ?? lost;
      sent.push({ body: JSON.parse(body), headers });
      sentAtMs.push(time.now());
      return answer();
    },
  };
  const client = createMerchantClient({
    ...{ serviceUrl: 'https://service.example/', adminKey: 'SVC_AK_1' },
    environment,
  });
  const pending = client.request(document, variables, options).then(
    (given) => ({ given }),
    (error: ServiceError) => ({ error }),
  );
  const { given, error } = (await time.settle(pending)) as { given?: unknown; error?: ServiceError };
  const waits = sentAtMs.slice(1).map((atMs, index) => (atMs - (sentAtMs[index] ?? 0)) / 1000);
  return { given, error, sent, signals, waits, times: sent.length, tookMs: time.now() };
}

export const lost: Answer = () => Promise.reject(new TypeError('Network request failed'));
export const hangs: Answer = () => new Promise(() => undefined);
export const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return async () => Response.json(body, { status, headers });
};
export const html =
  (status: number): Answer =>
  async () =>
    new Response('<html>Log in to the hotel</html>', { status });
export const refused = (code: string, status = errorCatalogue[code as ErrorCode].status, more = {}) =>
  json(status, { data: null, errors: [{ message: 'Words.', path: ['a'], extensions: { code, ...more } }] });
export const done = json(200, { data: { a: 1 } });

export const QUERY = '{ a }';
export const CHANGE = 'mutation { a }';
export const KEYED = 'mutation ($key: String!) { a @idempotent(key: $key) { b } }';
