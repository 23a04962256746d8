/** Storefront access tokens: made, listed, deleted; at most 100 are active for an app and a shop. */
import { isoInstant } from '../../state/instant.ts';
import { hashId, nextId } from '../../state/opaque-id.ts';
import type { StorefrontTokenRecord, StoreState } from '../../state/state.ts';
import { wayOf } from '../../state/unpublished.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../context.ts';
import { accessDeniedError } from '../field-access.ts';
import { gid, numberOf } from '../gid.ts';
import { type ConnectionArgs, connectionOf } from '../lists/connections.ts';
import { userError, userErrorPayload } from '../user-error.ts';

const tokenLimit = 100;

function createStorefrontToken(
  _parent: unknown,
  { input }: { input: { title: string } },
  { store, nowMs }: AdminContext,
) {
  if (wayOf(store, 'storefrontTokens') === 'denied') {
    throw accessDeniedError('Access denied for storefrontAccessTokenCreate field.');
  }
  const title = input.title.trim();
  if (title === '')
    return { shop: store, userErrors: [userError(['input', 'title'], "Title can't be blank")] };
  if (store.storefrontTokens.size >= tokenLimit) {
    const message = `A maximum of ${tokenLimit} storefront access tokens are allowed for an app and a shop`;
    return { shop: store, userErrors: [userError(['input'], message)] };
  }
  const id = nextId(store);
  const storefrontAccessToken: StorefrontTokenRecord = {
    __typename: 'StorefrontAccessToken',
    id,
    title,
    accessToken: hashId(`${store.shop}/storefront-token/${id}`),
    createdAt: isoInstant(nowMs),
  };
  store.storefrontTokens.set(id, storefrontAccessToken);
  return { shop: store, storefrontAccessToken };
}

function deleteStorefrontToken(
  _parent: unknown,
  { input }: { input: { id: string } },
  { store }: AdminContext,
) {
  if (!store.storefrontTokens.delete(numberOf(input.id, 'StorefrontAccessToken'))) {
    return userErrorPayload(['input', 'id'], 'Storefront access token does not exist');
  }
  return { deletedStorefrontAccessTokenId: input.id };
}

export const storefrontTokenResolvers: ResolverMap = {
  Mutation: {
    storefrontAccessTokenCreate: createStorefrontToken,
    storefrontAccessTokenDelete: deleteStorefrontToken,
  },
  Shop: fieldsOf<StoreState>({
    storefrontAccessTokens: ({ storefrontTokens }, args: ConnectionArgs) =>
      connectionOf([...storefrontTokens.values()], args, ({ id }) => id),
  }),
  StorefrontAccessToken: fieldsOf<StorefrontTokenRecord>({
    id: ({ id }) => gid('StorefrontAccessToken', id),
    accessScopes: () => [
      { handle: 'unauthenticated_read_product_listings', description: 'Read products' },
      { handle: 'unauthenticated_read_selling_plans', description: 'Read selling plans' },
    ],
    updatedAt: ({ createdAt }) => createdAt,
  }),
};
