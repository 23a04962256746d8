/** The client of a merchant's server: an admin key, `request`, and the common operations as functions. */
import { createEnvironment, type Environment } from './device/environment.ts';
import { ServiceError } from './errors/service-error.ts';
import { createRequest } from './request/create-request.ts';
import type { Request } from './request/request.ts';

const PATH = '/api/admin/unstable/graphql.json';
const DEADLINE_MS = 60_000;

export type MerchantClientOptions = {
  readonly serviceUrl: string;
  /** Of the store; it stays on the server. */
  readonly adminKey: string;
  /** Of messages. */
  readonly language?: string | (() => string | undefined);
  /** For all tries and waits of one call. 60,000 if absent. */
  readonly deadlineMs?: number;
  /** For tests, and for servers that lack something. */
  readonly environment?: Partial<Environment>;
};

export type MerchantClient = { request: Request };

export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const { adminKey, language, deadlineMs = DEADLINE_MS } = options;
  const environment = createEnvironment(options.environment);
  /** There is one key: a refused one is told as it was. */
  const authorize = async (refused?: string) => {
    if (refused !== undefined) throw new ServiceError('UNAUTHENTICATED', { status: 401 });
    return adminKey;
  };
  return { request: createRequest({ ...options, environment, deadlineMs, language, path: PATH, authorize }) };
}
