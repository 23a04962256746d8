/**
 * Webhook subscriptions of one shop, which its app creates, updates, lists and deletes. Subscriptions of the app's TOML
 * are not included.
 */
import { formatIsoInstant } from '../../state/instant.ts';
import { takeNextId } from '../../state/opaque-id.ts';
import type { StoreState } from '../../state/state.ts';
import { hasScope } from '../../state/store-access.ts';
import type { WebhookSubscriptionRecord } from '../../state/webhook-records.ts';
import { findTopicOfEnum, findTopicScope } from '../../state/webhook-topics.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../context.ts';
import { formatGid, requireGidNumber } from '../gid.ts';
import { type ConnectionArgs, createConnection } from '../lists/connections.ts';
import { createUserError, createUserErrorPayload, isUserError, type UserError } from '../user-error.ts';

type WebhookSubscriptionInput = {
  uri?: string | null;
  callbackUrl?: string | null;
  filter?: string | null;
  format?: 'JSON' | 'XML' | null;
  includeFields?: string[] | null;
  metafieldNamespaces?: string[] | null;
  name?: string | null;
};
type ValidatedWebhookSubscription = Omit<
  WebhookSubscriptionRecord,
  '__typename' | 'id' | 'topic' | 'createdAt' | 'updatedAt'
>;

function webhookSubscriptionsById(store: StoreState): Map<number, WebhookSubscriptionRecord> {
  store.webhookSubscriptions ??= new Map();
  return store.webhookSubscriptions;
}

type CreateSubscriptionArgs = { topic: string; webhookSubscription: WebhookSubscriptionInput };

function resolveWebhookSubscriptionCreate(
  _parent: unknown,
  { topic, webhookSubscription: subscriptionInput }: CreateSubscriptionArgs,
  { store, nowMs }: AdminContext,
) {
  const emulatedTopic = findTopicOfEnum(topic);
  const neededScope = emulatedTopic === undefined ? undefined : findTopicScope(emulatedTopic);
  if (neededScope !== undefined && !hasScope(store, neededScope))
    return createUserErrorPayload(
      ['topic'],
      'You do not have permission to create or update webhooks with this topic',
    );
  const validatedOrError = validateWebhookSubscription(subscriptionInput, undefined);
  if (isUserError(validatedOrError)) return { userErrors: [validatedOrError] };
  const subscriptionById = webhookSubscriptionsById(store);
  const isAddressTaken = [...subscriptionById.values()].some(
    (each) => each.topic === topic && each.uri === validatedOrError.uri,
  );
  if (isAddressTaken)
    return createUserErrorPayload(
      ['webhookSubscription', 'callbackUrl'],
      'Address for this topic has already been taken',
    );
  const id = takeNextId(store);
  const nowText = formatIsoInstant(nowMs);
  const webhookSubscription: WebhookSubscriptionRecord = {
    ...{
      __typename: 'WebhookSubscription',
      id,
      topic,
      ...validatedOrError,
      createdAt: nowText,
      updatedAt: nowText,
    },
  };
  subscriptionById.set(id, webhookSubscription);
  return { webhookSubscription };
}

type UpdateSubscriptionArgs = { id: string; webhookSubscription: WebhookSubscriptionInput };

function resolveWebhookSubscriptionUpdate(
  _parent: unknown,
  { id, webhookSubscription: subscriptionInput }: UpdateSubscriptionArgs,
  { store, nowMs }: AdminContext,
) {
  const subscriptionBefore = webhookSubscriptionsById(store).get(requireGidNumber(id, 'WebhookSubscription'));
  if (subscriptionBefore === undefined)
    return createUserErrorPayload(['id'], 'Webhook subscription does not exist');
  const validatedOrError = validateWebhookSubscription(subscriptionInput, subscriptionBefore);
  if (isUserError(validatedOrError)) return { userErrors: [validatedOrError] };
  return {
    webhookSubscription: Object.assign(subscriptionBefore, validatedOrError, {
      updatedAt: formatIsoInstant(nowMs),
    }),
  };
}

/** Validates a subscription. An address must be https, or the loopback address on one machine. */
function validateWebhookSubscription(
  input: WebhookSubscriptionInput,
  storedSubscription: ValidatedWebhookSubscription | undefined,
): ValidatedWebhookSubscription | UserError {
  const uri = input.uri ?? input.callbackUrl ?? storedSubscription?.uri;
  if (uri == null || !URL.canParse(uri))
    return createUserError(['webhookSubscription', 'uri'], 'Address is invalid');
  const { protocol, hostname } = new URL(uri);
  const isAcceptedAddress = ['https:', 'pubsub:', 'arn:'].includes(protocol) || hostname === '127.0.0.1';
  if (!isAcceptedAddress)
    return createUserError(['webhookSubscription', 'uri'], 'Address protocol http:// is not supported');
  return {
    uri,
    format: input.format ?? storedSubscription?.format ?? 'JSON',
    filter: input.filter ?? storedSubscription?.filter ?? null,
    includeFields: input.includeFields ?? storedSubscription?.includeFields ?? [],
    metafieldNamespaces: input.metafieldNamespaces ?? storedSubscription?.metafieldNamespaces ?? [],
    name: input.name ?? storedSubscription?.name ?? null,
  };
}

function resolveWebhookSubscriptionDelete(_parent: unknown, { id }: { id: string }, { store }: AdminContext) {
  if (!webhookSubscriptionsById(store).delete(requireGidNumber(id, 'WebhookSubscription')))
    return createUserErrorPayload(['id'], 'Webhook subscription does not exist');
  return { deletedWebhookSubscriptionId: id };
}

type WebhookSubscriptionListArgs = ConnectionArgs & {
  topics?: string[] | null;
  uri?: string | null;
  callbackUrl?: string | null;
};

function resolveWebhookSubscriptions(
  _parent: unknown,
  args: WebhookSubscriptionListArgs,
  { store }: AdminContext,
) {
  const uri = args.uri ?? args.callbackUrl ?? undefined;
  const visibleSubscriptions = [...webhookSubscriptionsById(store).values()].filter(
    (each) => (args.topics?.includes(each.topic) ?? true) && (uri === undefined || each.uri === uri),
  );
  return createConnection(visibleSubscriptions, args, ({ id }) => id);
}

export const webhookSubscriptionResolvers: ResolverMap = {
  QueryRoot: {
    webhookSubscription: (_parent: unknown, { id }: { id: string }, { store }) =>
      webhookSubscriptionsById(store).get(requireGidNumber(id, 'WebhookSubscription')) ?? null,
    webhookSubscriptions: resolveWebhookSubscriptions,
    webhookSubscriptionsCount: (_parent: unknown, _args: unknown, { store }) => ({
      count: webhookSubscriptionsById(store).size,
      precision: 'EXACT',
    }),
  },
  Mutation: {
    webhookSubscriptionCreate: resolveWebhookSubscriptionCreate,
    webhookSubscriptionUpdate: resolveWebhookSubscriptionUpdate,
    webhookSubscriptionDelete: resolveWebhookSubscriptionDelete,
  },
  WebhookSubscription: typeResolvers<WebhookSubscriptionRecord>({
    id: ({ id }) => formatGid('WebhookSubscription', id),
    legacyResourceId: ({ id }) => id,
    apiVersion: () => ({ handle: '2026-07', displayName: '2026-07 (Latest)', supported: true }),
    callbackUrl: ({ uri }) => uri,
    endpoint: ({ uri }) => ({ __typename: 'WebhookHttpEndpoint', callbackUrl: uri }),
    metafields: () => [],
  }),
};
