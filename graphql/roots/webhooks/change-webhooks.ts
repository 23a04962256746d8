/** The mutations of webhook endpoints, without a request to the platform. A secret is only in the first response. */
import { message } from '../../../lib/messages/message.ts';
import type { WebhookEndpointErrorCode } from '../../../lib/subscriptions/error-details.ts';
import type { OperationRequest } from '../../../lib/subscriptions/operation.ts';
import {
  createChangedOutcome,
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
    const endpointInput = { url: String(url), types, description };
    const creationResult = await createEndpoint(
      await createWebhookDeps(context),
      context.store.shopId,
      endpointInput,
    );
    if (creationResult.refused !== undefined) return toRefusalOutcome(creationResult);
    logEndpointChange(context, 'webhook_endpoint.created', creationResult.endpoint);
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, creationResult.endpoint),
      secret: creationResult.secret,
    });
  },
  webhookEndpointUpdate: withEndpointReference(async (context, ref, args) => {
    const updateResult = await updateEndpoint(await createWebhookDeps(context), ref, toEndpointInput(args));
    if (updateResult.refused !== undefined) return toRefusalOutcome(updateResult);
    logEndpointChange(context, 'webhook_endpoint.updated', updateResult.endpoint);
    return createChangedOutcome({ endpoint: await toEndpointValue(context, updateResult.endpoint) });
  }),
  webhookEndpointDelete: withEndpointReference(async (context, ref) => {
    const deletionResult = await deleteEndpoint(await createWebhookDeps(context), ref);
    if (deletionResult.refused !== undefined) return toRefusalOutcome(deletionResult);
    logEndpointChange(context, 'webhook_endpoint.deleted', deletionResult.endpoint);
    return createChangedOutcome({ deletedId: formatEndpointGid(context, ref.id) });
  }),
  webhookEndpointRotateSecret: withEndpointReference(async (context, ref) => {
    const rotationResult = await rotateEndpointSecret(await createWebhookDeps(context), ref);
    if (rotationResult.refused !== undefined) return toRefusalOutcome(rotationResult);
    logEndpointChange(context, 'webhook_endpoint.secret_rotated', rotationResult.endpoint);
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, rotationResult.endpoint),
      secret: rotationResult.secret,
    });
  }),
  webhookEndpointTest: withEndpointReference(async (context, ref) => {
    const testResult = await testEndpoint(await createWebhookDeps(context), ref);
    if (testResult.refused === 'TOO_SOON') {
      const waitSeconds = Math.max(1, Math.ceil((testResult.retryAtMs - context.now()) / 1000));
      return createInvalidArgumentOutcome(
        'id',
        'TESTED_TOO_SOON',
        message('webhookTestedOften', { seconds: waitSeconds }),
      );
    }
    if (testResult.refused !== undefined) return toRefusalOutcome(testResult);
    const statusCode = 'status' in testResult.response ? testResult.response.status : null;
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, testResult.endpoint),
      statusCode,
    });
  }),
  webhookEndpointReplay: withEndpointReference(async (context, ref, { since }) => {
    const replayResult = await requestReplay(
      await createWebhookDeps(context),
      ref,
      Date.parse(String(since)),
    );
    if (replayResult.refused !== undefined) return toRefusalOutcome(replayResult);
    logEndpointChange(context, 'webhook_replay.requested', replayResult.endpoint);
    const { eventCount } = replayResult;
    return createChangedOutcome({
      endpoint: await toEndpointValue(context, replayResult.endpoint),
      eventCount,
    });
  }),
  async webhookDeliveryResend(context, { id }) {
    const deliveryRef = parseDeliveryGid(id);
    if (deliveryRef === undefined) return toRefusalOutcome({ refused: 'UNKNOWN_DELIVERY' });
    const resendResult = await requestResend(await createWebhookDeps(context), {
      shopId: context.store.shopId,
      ...deliveryRef,
    });
    if (resendResult.refused !== undefined) return toRefusalOutcome(resendResult);
    logEndpointChange(context, 'webhook_resend.requested', resendResult.endpoint);
    const [delivery] = await findDeliveries(context, resendResult.endpoint, [resendResult.record.number]);
    if (delivery === undefined) return toRefusalOutcome({ refused: 'UNKNOWN_DELIVERY' });
    return createChangedOutcome({ delivery: toDeliveryValue(context, resendResult.endpoint, delivery) });
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

function toRefusalOutcome(refusal: EndpointRefusal): OperationOutcome {
  switch (refusal.refused) {
    case 'ADDRESS':
      return createInvalidArgumentOutcome('url', ...ADDRESS_ERROR_BY_REFUSAL[refusal.addressRefusal]());
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
      const minutes = Math.max(1, Math.ceil(refusal.retryInMs / 60_000));
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
    createUserError(code, { field: argument === null ? null : [argument], message }),
  ]);
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
