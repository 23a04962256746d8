/** Metafields and tags of anything that has them. Definitions of metafields do not behave. */
import { isoInstant } from '../../state/instant.ts';
import { hashId, nextId } from '../../state/opaque-id.ts';
import type { MetafieldRecord } from '../../state/state.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../context.ts';
import { checkAccess } from '../field-access.ts';
import { gid, parseGid } from '../gid.ts';
import { type ConnectionArgs, connectionOf } from '../lists/connections.ts';
import { scopeOfOwner } from '../mutation-scopes.ts';
import { userError, userErrorPayload } from '../user-error.ts';
import { APP_ID } from './contracts/apps.ts';
import { findNode } from './nodes.ts';

/** Types that have metafields here, with the platform's name for them as owners. */
const ownerTypes: Record<string, string> = {
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

/** The namespace of an app's own metafields, used where none is given. */
const appNamespace = `app--${APP_ID}`;

type MetafieldOwner = { __typename: string; id?: number; shopId?: number };

const keyOf = (ownerId: string, namespace: string, key: string) => `${ownerId}/${namespace}/${key}`;

function ownerGid({ __typename, id, shopId }: MetafieldOwner): string {
  return gid(__typename, shopId ?? id ?? 0);
}

type SetInput = {
  ownerId: string;
  namespace?: string | null;
  key: string;
  type?: string | null;
  value: string;
  compareDigest?: string | null;
};

/** Throws ACCESS_DENIED where one of the owners may not be written to; then nothing is changed. */
function checkOwners(context: AdminContext, name: string, ids: readonly string[]): void {
  for (const id of ids) {
    checkAccess(context.store, name, { scope: scopeOfOwner[parseGid(id)?.type ?? ''] });
  }
}

function metafieldsSet(_parent: unknown, { metafields }: { metafields: SetInput[] }, context: AdminContext) {
  const owners = metafields.map(({ ownerId }) => ownerId);
  checkOwners(context, 'metafieldsSet', owners);
  const problems = metafields.flatMap((input, index) => findInputProblem(input, { index, context }));
  // All are set or none is.
  if (problems.length > 0) return { userErrors: problems };
  return { metafields: metafields.map((input) => setOne(input, context)) };
}

function findInputProblem(input: SetInput, { index, context }: { index: number; context: AdminContext }) {
  const problem = (name: string, message: string, code: string) => [
    { ...userError(['metafields', String(index), name], message, code), elementIndex: index },
  ];
  const owner = findNode(input.ownerId, context) as MetafieldOwner | null;
  if (owner === null || ownerTypes[owner.__typename] === undefined) {
    return problem('ownerId', 'Owner does not exist', 'INVALID');
  }
  const existing = context.store.metafields.get(
    keyOf(input.ownerId, input.namespace ?? appNamespace, input.key),
  );
  if (input.value === '') return problem('value', "Value can't be blank", 'BLANK');
  if (existing === undefined && input.type == null) return problem('type', "Type can't be blank", 'BLANK');
  if (
    input.compareDigest !== undefined &&
    input.compareDigest !== (existing === undefined ? null : compareDigestOf(existing))
  ) {
    return problem('compareDigest', 'The resource has been updated since it was loaded', 'STALE_OBJECT');
  }
  return [];
}

function setOne(input: SetInput, { store, nowMs }: AdminContext): MetafieldRecord {
  const namespace = input.namespace ?? appNamespace;
  const at = isoInstant(nowMs);
  const key = keyOf(input.ownerId, namespace, input.key);
  const existing = store.metafields.get(key);
  const metafield: MetafieldRecord = {
    __typename: 'Metafield',
    id: existing?.id ?? nextId(store),
    ownerId: input.ownerId,
    namespace,
    key: input.key,
    type: input.type ?? existing?.type ?? 'single_line_text_field',
    value: input.value,
    createdAt: existing?.createdAt ?? at,
    updatedAt: at,
  };
  store.metafields.set(key, metafield);
  return metafield;
}

type Identifier = { ownerId: string; namespace: string; key: string };

function metafieldsDelete(
  _parent: unknown,
  { metafields }: { metafields: Identifier[] },
  context: AdminContext,
) {
  const owners = metafields.map(({ ownerId }) => ownerId);
  checkOwners(context, 'metafieldsDelete', owners);
  return {
    deletedMetafields: metafields.map((one) =>
      context.store.metafields.delete(keyOf(one.ownerId, one.namespace, one.key)) ? one : null,
    ),
  };
}

function compareDigestOf(metafield: MetafieldRecord): string {
  return hashId(`${metafield.type}:${metafield.value}`);
}

function jsonValue({ type, value }: MetafieldRecord): unknown {
  if (!/^(json|number_|boolean|list\.)/.test(type)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function changeTags(change: (before: string[], tags: string[]) => string[]) {
  return (_parent: unknown, args: { id: string; tags: string[] }, context: AdminContext) => {
    checkOwners(context, 'tags', [args.id]);
    const node = findNode(args.id, context) as { tags?: string[]; updatedAt?: string } | null;
    if (node?.tags === undefined) return userErrorPayload(['id'], 'Resource does not exist');
    node.tags = change(node.tags, args.tags);
    node.updatedAt = isoInstant(context.nowMs);
    return { node };
  };
}

type ListArgs = ConnectionArgs & { namespace?: string | null; keys?: string[] | null };

const ownerFields = fieldsOf<MetafieldOwner>({
  metafield: (owner, args: { namespace?: string | null; key: string }, { store }) =>
    store.metafields.get(keyOf(ownerGid(owner), args.namespace ?? appNamespace, args.key)) ?? null,
  metafields: (owner, args: ListArgs, { store }) => {
    const own = [...store.metafields.values()].filter(
      ({ ownerId, namespace, key }) =>
        ownerId === ownerGid(owner) &&
        (args.namespace == null || namespace === args.namespace) &&
        (args.keys == null || args.keys.includes(`${namespace}.${key}`)),
    );
    return connectionOf(own, args, ({ id }) => id);
  },
});

export const metafieldResolvers: ResolverMap = {
  ...Object.fromEntries(Object.keys(ownerTypes).map((type) => [type, ownerFields])),
  Metafield: fieldsOf<MetafieldRecord>({
    id: ({ id }) => gid('Metafield', id),
    legacyResourceId: ({ id }) => id,
    compareDigest: compareDigestOf,
    definition: () => null,
    description: () => null,
    jsonValue,
    owner: ({ ownerId }, _args, context) => findNode(ownerId, context),
    ownerType: ({ ownerId }) => ownerTypes[ownerId.split('/')[3] ?? ''],
    reference: ({ type, value }, _args, context) =>
      /^\w+_reference$/.test(type) ? findNode(value, context) : null,
    references: () => null,
    sizeInBytes: ({ value }) => Buffer.byteLength(value),
    translations: () => [],
  }),
  Mutation: {
    metafieldsDelete,
    metafieldsSet,
    tagsAdd: changeTags((before, tags) => [...new Set([...before, ...tags])]),
    tagsRemove: changeTags((before, tags) => before.filter((tag) => !tags.includes(tag))),
  },
};
