/** Metafields and tags. Metafield definitions are not emulated. */
import { formatIsoInstant } from '../../state/instant.ts';
import { hashId, takeNextId } from '../../state/opaque-id.ts';
import type { MetafieldRecord } from '../../state/state.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../context.ts';
import { checkAccess } from '../field-access.ts';
import { formatGid, parseGid } from '../gid.ts';
import { type ConnectionArgs, createConnection } from '../lists/connections.ts';
import { WRITE_SCOPE_BY_OWNER_TYPE } from '../mutation-scopes.ts';
import { createUserError, createUserErrorPayload } from '../user-error.ts';
import { APP_ID } from './contracts/apps.ts';
import { findNode } from './nodes.ts';

/** Types that have metafields here, with the platform's name for them as owners. */
const OWNER_TYPE_BY_TYPENAME: Record<string, string> = {
  Collection: 'COLLECTION',
  Customer: 'CUSTOMER',
  Location: 'LOCATION',
  Market: 'MARKET',
  Order: 'ORDER',
  Product: 'PRODUCT',
  ProductVariant: 'PRODUCTVARIANT',
  SellingPlan: 'SELLING_PLAN',
  Shop: 'SHOP',
};

/** The namespace of an app's own metafields, used when the input has none. */
const APP_NAMESPACE = `app--${APP_ID}`;

type MetafieldOwner = { __typename: string; id?: number; shopId?: number };

const createMetafieldKey = (ownerId: string, namespace: string, key: string) =>
  `${ownerId}/${namespace}/${key}`;

function formatOwnerGid({ __typename, id, shopId }: MetafieldOwner): string {
  return formatGid(__typename, shopId ?? id ?? 0);
}

type MetafieldsSetInput = {
  ownerId: string;
  namespace?: string | null;
  key: string;
  type?: string | null;
  value: string;
  compareDigest?: string | null;
};

/** @throws ACCESS_DENIED when the app may not write to one of the owners; then nothing is changed */
function checkOwnerAccess(context: AdminContext, fieldName: string, ids: readonly string[]): void {
  for (const id of ids) {
    checkAccess(context.store, fieldName, { scope: WRITE_SCOPE_BY_OWNER_TYPE[parseGid(id)?.type ?? ''] });
  }
}

function resolveMetafieldsSet(
  _parent: unknown,
  { metafields }: { metafields: MetafieldsSetInput[] },
  context: AdminContext,
) {
  const ownerIds = metafields.map(({ ownerId }) => ownerId);
  checkOwnerAccess(context, 'metafieldsSet', ownerIds);
  const inputProblems = metafields.flatMap((input, index) => findInputProblem(input, { index, context }));
  // All are set or none is.
  if (inputProblems.length > 0) return { userErrors: inputProblems };
  return { metafields: metafields.map((input) => setMetafield(input, context)) };
}

function findInputProblem(
  input: MetafieldsSetInput,
  { index, context }: { index: number; context: AdminContext },
) {
  const createProblem = (name: string, message: string, code: string) => [
    { ...createUserError(['metafields', String(index), name], message, code), elementIndex: index },
  ];
  const metafieldOwner = findNode(input.ownerId, context) as MetafieldOwner | null;
  if (metafieldOwner === null || OWNER_TYPE_BY_TYPENAME[metafieldOwner.__typename] === undefined) {
    return createProblem('ownerId', 'Owner does not exist', 'INVALID');
  }
  const existingMetafield = context.store.metafields.get(
    createMetafieldKey(input.ownerId, input.namespace ?? APP_NAMESPACE, input.key),
  );
  if (input.value === '') return createProblem('value', "Value can't be blank", 'BLANK');
  if (existingMetafield === undefined && input.type == null)
    return createProblem('type', "Type can't be blank", 'BLANK');
  if (
    input.compareDigest !== undefined &&
    input.compareDigest !== (existingMetafield === undefined ? null : computeCompareDigest(existingMetafield))
  ) {
    return createProblem(
      'compareDigest',
      'The resource has been updated since it was loaded',
      'STALE_OBJECT',
    );
  }
  return [];
}

function setMetafield(input: MetafieldsSetInput, { store, nowMs }: AdminContext): MetafieldRecord {
  const namespace = input.namespace ?? APP_NAMESPACE;
  const changedAt = formatIsoInstant(nowMs);
  const key = createMetafieldKey(input.ownerId, namespace, input.key);
  const existingMetafield = store.metafields.get(key);
  const metafield: MetafieldRecord = {
    __typename: 'Metafield',
    id: existingMetafield?.id ?? takeNextId(store),
    ownerId: input.ownerId,
    namespace,
    key: input.key,
    type: input.type ?? existingMetafield?.type ?? 'single_line_text_field',
    value: input.value,
    createdAt: existingMetafield?.createdAt ?? changedAt,
    updatedAt: changedAt,
  };
  store.metafields.set(key, metafield);
  return metafield;
}

type MetafieldIdentifier = { ownerId: string; namespace: string; key: string };

function resolveMetafieldsDelete(
  _parent: unknown,
  { metafields }: { metafields: MetafieldIdentifier[] },
  context: AdminContext,
) {
  const ownerIds = metafields.map(({ ownerId }) => ownerId);
  checkOwnerAccess(context, 'metafieldsDelete', ownerIds);
  return {
    deletedMetafields: metafields.map((identifier) =>
      context.store.metafields.delete(
        createMetafieldKey(identifier.ownerId, identifier.namespace, identifier.key),
      )
        ? identifier
        : null,
    ),
  };
}

function computeCompareDigest(metafield: MetafieldRecord): string {
  return hashId(`${metafield.type}:${metafield.value}`);
}

function toJsonValue({ type, value }: MetafieldRecord): unknown {
  if (!/^(json|number_|boolean|list\.)/.test(type)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function createTagsResolver(change: (currentTags: string[], tags: string[]) => string[]) {
  return (_parent: unknown, args: { id: string; tags: string[] }, context: AdminContext) => {
    checkOwnerAccess(context, 'tags', [args.id]);
    const node = findNode(args.id, context) as { tags?: string[]; updatedAt?: string } | null;
    if (node?.tags === undefined) return createUserErrorPayload(['id'], 'Resource does not exist');
    node.tags = change(node.tags, args.tags);
    node.updatedAt = formatIsoInstant(context.nowMs);
    return { node };
  };
}

type MetafieldListArgs = ConnectionArgs & { namespace?: string | null; keys?: string[] | null };

const metafieldOwnerResolvers = typeResolvers<MetafieldOwner>({
  metafield: (owner, args: { namespace?: string | null; key: string }, { store }) =>
    store.metafields.get(
      createMetafieldKey(formatOwnerGid(owner), args.namespace ?? APP_NAMESPACE, args.key),
    ) ?? null,
  metafields: (owner, args: MetafieldListArgs, { store }) => {
    const ownMetafields = [...store.metafields.values()].filter(
      ({ ownerId, namespace, key }) =>
        ownerId === formatOwnerGid(owner) &&
        (args.namespace == null || namespace === args.namespace) &&
        (args.keys == null || args.keys.includes(`${namespace}.${key}`)),
    );
    return createConnection(ownMetafields, args, ({ id }) => id);
  },
});

export const metafieldResolvers: ResolverMap = {
  ...Object.fromEntries(Object.keys(OWNER_TYPE_BY_TYPENAME).map((type) => [type, metafieldOwnerResolvers])),
  Metafield: typeResolvers<MetafieldRecord>({
    id: ({ id }) => formatGid('Metafield', id),
    legacyResourceId: ({ id }) => id,
    compareDigest: computeCompareDigest,
    definition: () => null,
    description: () => null,
    jsonValue: toJsonValue,
    owner: ({ ownerId }, _args, context) => findNode(ownerId, context),
    ownerType: ({ ownerId }) => OWNER_TYPE_BY_TYPENAME[ownerId.split('/')[3] ?? ''],
    reference: ({ type, value }, _args, context) =>
      /^\w+_reference$/.test(type) ? findNode(value, context) : null,
    references: () => null,
    sizeInBytes: ({ value }) => Buffer.byteLength(value),
    translations: () => [],
  }),
  Mutation: {
    metafieldsDelete: resolveMetafieldsDelete,
    metafieldsSet: resolveMetafieldsSet,
    tagsAdd: createTagsResolver((currentTags, tags) => [...new Set([...currentTags, ...tags])]),
    tagsRemove: createTagsResolver((currentTags, tags) => currentTags.filter((tag) => !tags.includes(tag))),
  },
};
