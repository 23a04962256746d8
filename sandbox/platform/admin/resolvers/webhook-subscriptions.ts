/**
 * Webhook subscriptions of one shop, which its app creates, updates, lists and deletes. Subscriptions of the app's TOML
 * are not included.
 */
import { isoInstant } from '../../state/instant.ts';
import { nextId } from '../../state/opaque-id.ts';
import type { StoreState } from '../../state/state.ts';
import { hasScope } from '../../state/store-access.ts';
import type { WebhookSubscriptionRecord } from '../../state/webhook-records.ts';
import { topicOfEnum, topicScope } from '../../state/webhook-topics.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../context.ts';
import { gid, numberOf } from '../gid.ts';
import { type ConnectionArgs, connectionOf } from '../lists/connections.ts';
import { isUserError, type UserError, userError, userErrorPayload } from '../user-error.ts';

type SubscriptionInput = {
  uri?: string | null;
  callbackUrl?: string | null;
  filter?: string | null;
  format?: 'JSON' | 'XML' | null;
  includeFields?: string[] | null;
  metafieldNamespaces?: string[] | null;
  name?: string | null;
};
type ValidatedSubscription = Omit<
  WebhookSubscriptionRecord,
  '__typename' | 'id' | 'topic' | 'createdAt' | 'updatedAt'
>;

function subscriptionsOf(store: StoreState): Map<number, WebhookSubscriptionRecord> {
  store.webhookSubscriptions ??= new Map();
  return store.webhookSubscriptions;
}

type CreateArgs = { topic: string; webhookSubscription: SubscriptionInput };

function createSubscription(
  _parent: unknown,
  { topic, webhookSubscription: input }: CreateArgs,
  { store, nowMs }: AdminContext,
) {
  const known = topicOfEnum(topic);
  const scope = known === undefined ? undefined : topicScope(known);
  if (scope !== undefined && !hasScope(store, scope))
    return userErrorPayload(
      ['topic'],
      'You do not have permission to create or update webhooks with this topic',
    );
  const settled = validateSubscription(input, undefined);
  if (isUserError(settled)) return { userErrors: [settled] };
  const all = subscriptionsOf(store);
  const isTaken = [...all.values()].some((each) => each.topic === topic && each.uri === settled.uri);
  if (isTaken)
    return userErrorPayload(
      ['webhookSubscription', 'callbackUrl'],
      'Address for this topic has already been taken',
    );
  const id = nextId(store);
  const at = isoInstant(nowMs);
  const webhookSubscription: WebhookSubscriptionRecord = {
    ...{ __typename: 'WebhookSubscription', id, topic, ...settled, createdAt: at, updatedAt: at },
  };
  all.set(id, webhookSubscription);
  return { webhookSubscription };
}

type UpdateArgs = { id: string; webhookSubscription: SubscriptionInput };

function updateSubscription(
  _parent: unknown,
  { id, webhookSubscription: input }: UpdateArgs,
  { store, nowMs }: AdminContext,
) {
  const before = subscriptionsOf(store).get(numberOf(id, 'WebhookSubscription'));
  if (before === undefined) return userErrorPayload(['id'], 'Webhook subscription does not exist');
  const settled = validateSubscription(input, before);
  if (isUserError(settled)) return { userErrors: [settled] };
  return { webhookSubscription: Object.assign(before, settled, { updatedAt: isoInstant(nowMs) }) };
}

/** Validates a subscription. An address must be https, or the loopback address on one machine. */
function validateSubscription(
  input: SubscriptionInput,
  before: ValidatedSubscription | undefined,
): ValidatedSubscription | UserError {
  const uri = input.uri ?? input.callbackUrl ?? before?.uri;
  if (uri == null || !URL.canParse(uri))
    return userError(['webhookSubscription', 'uri'], 'Address is invalid');
  const { protocol, hostname } = new URL(uri);
  const isTaken = ['https:', 'pubsub:', 'arn:'].includes(protocol) || hostname === '127.0.0.1';
  if (!isTaken) return userError(['webhookSubscription', 'uri'], 'Address protocol http:// is not supported');
  return {
    uri,
    format: input.format ?? before?.format ?? 'JSON',
    filter: input.filter ?? before?.filter ?? null,
    includeFields: input.includeFields ?? before?.includeFields ?? [],
    metafieldNamespaces: input.metafieldNamespaces ?? before?.metafieldNamespaces ?? [],
    name: input.name ?? before?.name ?? null,
  };
}

function deleteSubscription(_parent: unknown, { id }: { id: string }, { store }: AdminContext) {
  if (!subscriptionsOf(store).delete(numberOf(id, 'WebhookSubscription')))
    return userErrorPayload(['id'], 'Webhook subscription does not exist');
  return { deletedWebhookSubscriptionId: id };
}

type ListArgs = ConnectionArgs & {
  topics?: string[] | null;
  uri?: string | null;
  callbackUrl?: string | null;
};

function listSubscriptions(_parent: unknown, args: ListArgs, { store }: AdminContext) {
  const uri = args.uri ?? args.callbackUrl ?? undefined;
  const visible = [...subscriptionsOf(store).values()].filter(
    (each) => (args.topics?.includes(each.topic) ?? true) && (uri === undefined || each.uri === uri),
  );
  return connectionOf(visible, args, ({ id }) => id);
}

export const webhookSubscriptionResolvers: ResolverMap = {
  QueryRoot: {
    webhookSubscription: (_parent: unknown, { id }: { id: string }, { store }) =>
      subscriptionsOf(store).get(numberOf(id, 'WebhookSubscription')) ?? null,
    webhookSubscriptions: listSubscriptions,
    webhookSubscriptionsCount: (_parent: unknown, _args: unknown, { store }) => ({
      count: subscriptionsOf(store).size,
      precision: 'EXACT',
    }),
  },
  Mutation: {
    webhookSubscriptionCreate: createSubscription,
    webhookSubscriptionUpdate: updateSubscription,
    webhookSubscriptionDelete: deleteSubscription,
  },
  WebhookSubscription: fieldsOf<WebhookSubscriptionRecord>({
    id: ({ id }) => gid('WebhookSubscription', id),
    legacyResourceId: ({ id }) => id,
    apiVersion: () => ({ handle: '2026-07', displayName: '2026-07 (Latest)', supported: true }),
    callbackUrl: ({ uri }) => uri,
    endpoint: ({ uri }) => ({ __typename: 'WebhookHttpEndpoint', callbackUrl: uri }),
    metafields: () => [],
  }),
};
