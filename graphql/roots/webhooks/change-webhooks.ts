/** The mutations of webhook endpoints, without a request to the platform. A secret is only in the first response. */
import { message } from '../../../lib/messages/message.ts';
import type { WebhookEndpointErrorCode } from '../../../lib/subscriptions/error-details.ts';
import type { OperationRequest } from '../../../lib/subscriptions/operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  type OperationOutcome,
} from '../../../lib/subscriptions/operation-error.ts';
import { type EndpointId, type EndpointRecord, MAX_ENDPOINTS } from '../../../lib/webhooks/endpoints.ts';
import type { AddressRefusal } from '../../../lib/webhooks/guard-address.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRefusal,
  MAX_RESEND_REQUESTS,
  requestReplay,
  requestResend,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../lib/webhooks/manage/change-endpoints.ts';
import { findDeliveries } from '../../../lib/webhooks/manage/list-deliveries.ts';
import { testEndpoint } from '../../../lib/webhooks/manage/test-endpoint.ts';
import type { RunContext } from '../../plan/run-context.ts';
import {
  formatEndpointGid,
  parseDeliveryGid,
  parseEndpointGid,
  parseEventTypeEnum,
  toDeliveryValue,
  toEndpointValue,
} from './endpoint-value.ts';
import { createWebhookDeps } from './webhook-deps.ts';

type WebhookArguments = OperationRequest['args'];
type WebhookChange = (context: RunContext, args: WebhookArguments) => Promise<OperationOutcome>;
type KnownEndpointChange = (
  context: RunContext,
  ref: EndpointReference,
  args: WebhookArguments,
) => Promise<OperationOutcome>;
type EndpointReference = { readonly shopId: RunContext['store']['shopId']; readonly id: EndpointId };

/**
 * The changes by the mutation's name.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export const WEBHOOK_MUTATIONS: Readonly<Record<string, WebhookChange>> = {
  async webhookEndpointCreate(context, args) {
    const { url, types, description } = toEndpointInput(args);
    const input = { url: String(url), types, description };
    const created = await createEndpoint(await createWebhookDeps(context), context.store.shopId, input);
    if (created.refused !== undefined) return toRefusalOutcome(created);
    logEndpointChange(context, 'webhook_endpoint.created', created.endpoint);
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, created.endpoint),
      secret: created.secret,
    });
  },
  webhookEndpointUpdate: withEndpointReference(async (context, ref, args) => {
    const changed = await updateEndpoint(await createWebhookDeps(context), ref, toEndpointInput(args));
    if (changed.refused !== undefined) return toRefusalOutcome(changed);
    logEndpointChange(context, 'webhook_endpoint.updated', changed.endpoint);
    return createChangedOutcome({ endpoint: await toEndpointValue(context, changed.endpoint) });
  }),
  webhookEndpointDelete: withEndpointReference(async (context, ref) => {
    const gone = await deleteEndpoint(await createWebhookDeps(context), ref);
    if (gone.refused !== undefined) return toRefusalOutcome(gone);
    logEndpointChange(context, 'webhook_endpoint.deleted', gone.endpoint);
    return createChangedOutcome({ deletedId: formatEndpointGid(context, ref.id) });
  }),
  webhookEndpointRotateSecret: withEndpointReference(async (context, ref) => {
    const rotated = await rotateEndpointSecret(await createWebhookDeps(context), ref);
    if (rotated.refused !== undefined) return toRefusalOutcome(rotated);
    logEndpointChange(context, 'webhook_endpoint.secret_rotated', rotated.endpoint);
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, rotated.endpoint),
      secret: rotated.secret,
    });
  }),
  webhookEndpointTest: withEndpointReference(async (context, ref) => {
    const tested = await testEndpoint(await createWebhookDeps(context), ref);
    if (tested.refused === 'TOO_SOON') {
      const seconds = Math.max(1, Math.ceil((tested.retryAtMs - context.now()) / 1000));
      return createInvalidArgumentOutcome(
        'id',
        'TESTED_TOO_SOON',
        message('webhookTestedOften', { seconds }),
      );
    }
    if (tested.refused !== undefined) return toRefusalOutcome(tested);
    const statusCode = 'status' in tested.response ? tested.response.status : null;
    return createChangedOutcome({ endpoint: await toEndpointValue(context, tested.endpoint), statusCode });
  }),
  webhookEndpointReplay: withEndpointReference(async (context, ref, { since }) => {
    const requested = await requestReplay(await createWebhookDeps(context), ref, Date.parse(String(since)));
    if (requested.refused !== undefined) return toRefusalOutcome(requested);
    logEndpointChange(context, 'webhook_replay.requested', requested.endpoint);
    const { eventCount } = requested;
    return createChangedOutcome({ endpoint: await toEndpointValue(context, requested.endpoint), eventCount });
  }),
  async webhookDeliveryResend(context, { id }) {
    const meant = parseDeliveryGid(id);
    if (meant === undefined) return toRefusalOutcome({ refused: 'UNKNOWN_DELIVERY' });
    const requested = await requestResend(await createWebhookDeps(context), {
      shopId: context.store.shopId,
      ...meant,
    });
    if (requested.refused !== undefined) return toRefusalOutcome(requested);
    logEndpointChange(context, 'webhook_resend.requested', requested.endpoint);
    const [delivery] = await findDeliveries(context, requested.endpoint, [requested.record.number]);
    if (delivery === undefined) return toRefusalOutcome({ refused: 'UNKNOWN_DELIVERY' });
    return createChangedOutcome({ delivery: toDeliveryValue(context, requested.endpoint, delivery) });
  },
};

function withEndpointReference(change: KnownEndpointChange): WebhookChange {
  return async (context, args) => {
    const id = parseEndpointGid(args.id);
    if (id === undefined) return toRefusalOutcome({ refused: 'UNKNOWN' });
    return change(context, { shopId: context.store.shopId, id }, args);
  };
}

/** Omitted fields remain unchanged; `url` and `enabled` are never null. */
function toEndpointInput({ url, types, description, enabled }: WebhookArguments) {
  return {
    url: (url ?? undefined) as string | undefined,
    types: types === null ? null : (types as readonly string[] | undefined)?.map(parseEventTypeEnum),
    description: description as string | null | undefined,
    isEnabled: (enabled ?? undefined) as boolean | undefined,
  };
}

type MessageText = Parameters<typeof createUserError>[1]['message'];

const ADDRESS_ERROR_BY_REFUSAL: Readonly<
  Record<AddressRefusal, () => [WebhookEndpointErrorCode, MessageText]>
> = {
  NOT_A_URL: () => ['URL_INVALID', message('webhookUrlInvalid')],
  TOO_LONG: () => ['INVALID', message('textTooLong', { most: 2048 })],
  NOT_HTTPS: () => ['URL_INVALID', message('webhookUrlNotHttps')],
  USER_IN_URL: () => ['URL_INVALID', message('webhookUrlUser')],
  OTHER_PORT: () => ['URL_INVALID', message('webhookUrlPort')],
  NOT_PUBLIC: () => ['ADDRESS_NOT_PUBLIC', message('webhookUrlNotPublic')],
  UNRESOLVED: () => ['ADDRESS_NOT_RESOLVED', message('webhookUrlUnresolved')],
};

function toRefusalOutcome(refused: EndpointRefusal): OperationOutcome {
  switch (refused.refused) {
    case 'ADDRESS':
      return createInvalidArgumentOutcome('url', ...ADDRESS_ERROR_BY_REFUSAL[refused.why]());
    case 'UNKNOWN':
      return createInvalidArgumentOutcome('id', 'ENDPOINT_NOT_FOUND', message('webhookEndpointUnknown'));
    case 'UNKNOWN_DELIVERY':
      return createInvalidArgumentOutcome('id', 'DELIVERY_NOT_FOUND', message('webhookDeliveryUnknown'));
    case 'TOO_MANY':
      return createInvalidArgumentOutcome(
        null,
        'ENDPOINT_LIMIT_REACHED',
        message('webhookEndpointsTooMany', { most: MAX_ENDPOINTS }),
      );
    case 'TOO_MANY_RESENDS':
      return createInvalidArgumentOutcome(
        'id',
        'RESEND_LIMIT_REACHED',
        message('webhookResendsTooMany', { most: MAX_RESEND_REQUESTS }),
      );
    case 'TOO_MANY_REPLAYS': {
      const minutes = Math.max(1, Math.ceil(refused.retryInMs / 60_000));
      return createInvalidArgumentOutcome(
        'id',
        'REPLAY_LIMIT_REACHED',
        message('webhookReplaysTooMany', { minutes }),
      );
    }
    case 'NO_TYPES':
      return createInvalidArgumentOutcome('types', 'TYPES_EMPTY', message('webhookTypesEmpty'));
    case 'SINCE':
      return createInvalidArgumentOutcome('since', 'SINCE_OUT_OF_RANGE', message('webhookSinceRange'));
    case 'CHANGED_CONCURRENTLY':
      return createInvalidArgumentOutcome('id', 'CONCURRENT_UPDATE', message('webhookChangedMeanwhile'));
  }
}

function createInvalidArgumentOutcome(
  argument: string | null,
  code: WebhookEndpointErrorCode,
  message: MessageText,
): OperationOutcome {
  return createRefusedOutcome([
    createUserError(code, { field: argument === null ? null : [argument], message: message }),
  ]);
}

function createChangedOutcome(locals: Readonly<Record<string, unknown>>): OperationOutcome {
  return { selectedFields: null, userErrors: [], errors: [], locals };
}

/** Logs which key and request changed the destination of events. */
function logEndpointChange(
  { logger, actor, requestId }: RunContext,
  logMessage: string,
  { shopId, id }: EndpointRecord,
): void {
  const keyId = actor.kind === 'store' ? actor.keyId : undefined;
  logger.info(logMessage, { shopId, keyId, requestId, endpointId: id });
}
