/** Compares a store's current discovery document with the addresses pinned at install. */
import * as oauth from 'oauth4webapi';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { type DiscoveredAddresses, type DiscoveryDeps, readDiscoveredAddresses } from './discover-sign-in.ts';
import { createPublishedDocumentCache } from './published-document-cache.ts';

type Deps = DiscoveryDeps & { readonly now: () => number; readonly logger: Pick<Logger, 'error'> };

export type CheckDiscovery = (store: StoreRecord) => Promise<void>;

/**
 * Creates the check of a container. A document that differs is not used until the operator has accepted it, and
 * raises the alarm `sign_in_discovery`.
 * @throws TEMPORARILY_UNAVAILABLE when there is no document or it differs
 */
export function createCheckDiscovery(deps: Deps): CheckDiscovery {
  const documents = createPublishedDocumentCache<DiscoveredAddresses | 'other issuer'>(deps.now);
  return async (store) => {
    const { customerApiUrl: _apart, ...pinnedAddresses } = store.signIn;
    const discoveredAddresses = await documents.get(`${store.domain} ${pinnedAddresses.issuer}`, () =>
      readOrDetectOtherIssuer(deps, store),
    );
    const differingNames =
      discoveredAddresses === 'other issuer'
        ? ['issuer']
        : Object.entries(pinnedAddresses).flatMap(([name, value]) =>
            discoveredAddresses[name as keyof typeof pinnedAddresses] === value ? [] : [name],
          );
    if (differingNames.length === 0) return;
    deps.logger.error('sign_in_discovery.mismatch_detected', {
      alarm: 'sign_in_discovery',
      shopId: store.shopId,
      differing: differingNames,
    });
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: `discovery differs: ${differingNames.join(', ')}`,
      retryAfterSeconds: 60,
    });
  };
}

async function readOrDetectOtherIssuer(
  deps: Deps,
  store: StoreRecord,
): Promise<DiscoveredAddresses | 'other issuer'> {
  try {
    return await readDiscoveredAddresses(deps, store.domain, store.signIn.issuer);
  } catch (error) {
    const isIssuerMismatch =
      error instanceof oauth.OperationProcessingError && error.code === oauth.JSON_ATTRIBUTE_COMPARISON;
    if (isIssuerMismatch) return 'other issuer';
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: 'an unusable discovery document',
      cause: error,
    });
  }
}
