/** Creates, lists and deletes storefront access tokens: at most 100 for an app and a shop. */
import { formatIsoInstant } from '../../state/instant.ts';
import { hashId, takeNextId } from '../../state/opaque-id.ts';
import type { StorefrontTokenRecord, StoreState } from '../../state/state.ts';
import { behaviourOfStore } from '../../state/unpublished-behaviour.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../context.ts';
import { createAccessDeniedError } from '../field-access.ts';
import { formatGid, requireGidNumber } from '../gid.ts';
import { type ConnectionArgs, createConnection } from '../lists/connections.ts';
import { createUserError, createUserErrorPayload } from '../user-error.ts';

const MAX_STOREFRONT_TOKENS = 100;

function resolveStorefrontTokenCreate(
  _parent: unknown,
  { input }: { input: { title: string } },
  { store, nowMs }: AdminContext,
) {
  if (behaviourOfStore(store, 'storefrontTokens') === 'denied') {
    throw createAccessDeniedError('Access denied for storefrontAccessTokenCreate field.');
  }
  const trimmedTitle = input.title.trim();
  if (trimmedTitle === '')
    return { shop: store, userErrors: [createUserError(['input', 'title'], "Title can't be blank")] };
  if (store.storefrontTokens.size >= MAX_STOREFRONT_TOKENS) {
    const message = `A maximum of ${MAX_STOREFRONT_TOKENS} storefront access tokens are allowed for an app and a shop`;
    return { shop: store, userErrors: [createUserError(['input'], message)] };
  }
  const id = takeNextId(store);
  const storefrontAccessToken: StorefrontTokenRecord = {
    __typename: 'StorefrontAccessToken',
    id,
    title: trimmedTitle,
    accessToken: hashId(`${store.shop}/storefront-token/${id}`),
    createdAt: formatIsoInstant(nowMs),
  };
  store.storefrontTokens.set(id, storefrontAccessToken);
  return { shop: store, storefrontAccessToken };
}

function resolveStorefrontTokenDelete(
  _parent: unknown,
  { input }: { input: { id: string } },
  { store }: AdminContext,
) {
  if (!store.storefrontTokens.delete(requireGidNumber(input.id, 'StorefrontAccessToken'))) {
    return createUserErrorPayload(['input', 'id'], 'Storefront access token does not exist');
  }
  return { deletedStorefrontAccessTokenId: input.id };
}

export const storefrontTokenResolvers: ResolverMap = {
  Mutation: {
    storefrontAccessTokenCreate: resolveStorefrontTokenCreate,
    storefrontAccessTokenDelete: resolveStorefrontTokenDelete,
  },
  Shop: typeResolvers<StoreState>({
    storefrontAccessTokens: ({ storefrontTokens }, args: ConnectionArgs) =>
      createConnection([...storefrontTokens.values()], args, ({ id }) => id),
  }),
  StorefrontAccessToken: typeResolvers<StorefrontTokenRecord>({
    id: ({ id }) => formatGid('StorefrontAccessToken', id),
    accessScopes: () => [
      { handle: 'unauthenticated_read_product_listings', description: 'Read products' },
      { handle: 'unauthenticated_read_selling_plans', description: 'Read selling plans' },
    ],
    updatedAt: ({ createdAt }) => createdAt,
  }),
};
