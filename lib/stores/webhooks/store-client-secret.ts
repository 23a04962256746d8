/**
 * Stores the client secret of a store's app, with which the platform signs webhooks, together with the previous secret.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientSecrets } from '../../storage/client-secrets.ts';
import { createSecretUseRepository } from '../../storage/inbox/secret-uses.ts';
import { readStoreRecord } from '../../storage/stores.ts';
import { changeVersionedSecret, type VersionedSecretDeps } from '../../storage/versioned-secret.ts';

type NewClientSecret = { readonly shopId: ShopId; readonly clientSecret: string };

/**
 * Stores the secret. Storing the same secret again changes nothing. A secret that has not signed any webhook may have
 * been a mistake, so it is replaced without becoming the previous one.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 * @throws TEMPORARILY_UNAVAILABLE when table or secrets cannot be used
 */
export async function storeClientSecret(
  deps: VersionedSecretDeps,
  { shopId, clientSecret }: NewClientSecret,
): Promise<void> {
  const storeBefore = await readStoreRecord(deps.table, shopId, []);
  if (storeBefore === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  const { webhooksVersionId: versionId } = storeBefore;
  const firstUseMs = versionId && (await createSecretUseRepository(deps).find(shopId, versionId));
  await changeVersionedSecret<ClientSecrets>(deps, {
    shopId,
    secret: 'webhooks',
    change: (currentSecrets, store) => {
      if (currentSecrets?.clientSecret === clientSecret) return undefined;
      const isUsed = store.webhooksVersionId === versionId && firstUseMs !== undefined;
      const previousSecret =
        (isUsed ? undefined : currentSecrets?.previousClientSecret) ?? currentSecrets?.clientSecret;
      return previousSecret === undefined || previousSecret === clientSecret
        ? { clientSecret }
        : { clientSecret, previousClientSecret: previousSecret };
    },
  });
}
