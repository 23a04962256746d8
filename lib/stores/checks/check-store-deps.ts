/** The dependencies of `store check`. */
import type { SendAdminOperation } from '../../platform/admin-api/admin-client.ts';
import type { AccessTokenDeps } from '../../platform/grants/request-access-token.ts';
import type { SendSignInRequest } from '../../platform/sign-in/sign-in-request.ts';
import type { Stores } from '../../storage/stores.ts';
import type { VersionedSecretDeps } from '../../storage/versioned-secret.ts';
import type { DiscoverSignIn } from '../read-sign-in-addresses.ts';

import type { LargestQueryOfService } from './check-large-query-cost.ts';

export type CheckStoreDeps = VersionedSecretDeps &
  AccessTokenDeps & {
    readonly sendAdmin: SendAdminOperation;
    readonly stores: Pick<Stores, 'find'>;
    readonly send: SendSignInRequest;
    readonly discoverSignIn: DiscoverSignIn;
    readonly platformApiVersion: string;
    /** Builds the service's most expensive query. `nowMs` is in epoch milliseconds. */
    readonly buildLargestQuery: (nowMs: number) => Promise<LargestQueryOfService>;
    readonly now: () => number;
  };
