/** Sends a test event to an endpoint immediately, signed like any event, and returns the response. */
import type { TokenKeys } from '../../credentials/token-keys.ts';
import { createCooldownRepository } from '../../storage/cooldowns.ts';
import type { Table } from '../../storage/table.ts';
import { openEndpointSecrets } from '../endpoint-secrets.ts';
import { createEndpointRepository, type EndpointRecord } from '../endpoints.ts';
import type { WebhookRequest, WebhookResponse } from '../send-webhook.ts';
import type { WebhookData, WebhookPayload } from '../to-webhook-payload.ts';
import { signWebhook } from '../webhook-secret.ts';
import type { EndpointRef } from './change-endpoints.ts';

export type TestEndpointDeps = {
  readonly table: Table;
  readonly tokenKeys: TokenKeys;
  readonly send: (request: WebhookRequest, timeoutMs: number) => Promise<WebhookResponse>;
  readonly now: () => number;
  readonly newId: () => string;
  /** The deadline of the caller's request, epoch milliseconds; undefined when the caller waits only for the test. */
  readonly deadlineAtMs?: number;
};

/** Shorter than the timeout of a delivery, because a person waits and the container cannot serve other requests. */
const TEST_TIMEOUT_MS = 5_000;
/**
 * A store can start one test of any of its endpoints in this time. Otherwise a document with many tests of addresses that
 * never respond, perhaps of endpoints created for that, would block many containers.
 */
const TEST_COOLDOWN_MS = 10_000;

const EMPTY_WEBHOOK_DATA: Omit<WebhookData, 'id' | 'occurredAt' | 'recordedAt'> = {
  ...{ contractId: null, customerId: null, actor: null, onBehalfOf: null, outcome: 'DONE', revisionId: null },
  ...{ isEstimate: false, position: 0, causedBy: null, ordersChanged: false, changes: [] },
};

/**
 * Sends a test event to an endpoint. Returns the endpoint's response, or when the next test is possible (epoch milliseconds).
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function testEndpoint(
  deps: TestEndpointDeps,
  { shopId, id }: EndpointRef,
): Promise<
  | { readonly refused?: undefined; readonly endpoint: EndpointRecord; readonly response: WebhookResponse }
  | { readonly refused: 'TOO_SOON'; readonly retryAtMs: number }
  | { readonly refused: 'UNKNOWN' }
> {
  const { table, now, newId } = deps;
  const endpoint = await createEndpointRepository(deps).find(shopId, id);
  if (endpoint === undefined) return { refused: 'UNKNOWN' };
  const cooldownRef = { shopId, action: 'webhookEndpointTest', subject: 'STORE' };
  const eventId = newId();
  const runningCooldown = await createCooldownRepository({ table, now }).start(cooldownRef, {
    holder: eventId,
    durationMs: TEST_COOLDOWN_MS,
  });
  if (runningCooldown !== undefined) return { refused: 'TOO_SOON', retryAtMs: runningCooldown.untilMs };
  const timestamp = new Date(now()).toISOString();
  const payload: WebhookPayload = {
    ...{ type: 'endpoint.test', timestamp },
    data: { id: eventId, ...EMPTY_WEBHOOK_DATA, occurredAt: timestamp, recordedAt: timestamp },
  };
  const body = JSON.stringify(payload);
  const secrets = await openEndpointSecrets(deps, endpoint);
  const headers = signWebhook({ id: eventId, body, secrets, nowMs: now() });
  const timeLeftMs = (deps.deadlineAtMs ?? Number.POSITIVE_INFINITY) - now();
  const timeoutMs = Math.max(1, Math.min(TEST_TIMEOUT_MS, timeLeftMs));
  return { endpoint, response: await deps.send({ url: endpoint.url, headers, body }, timeoutMs) };
}
