/** What the doctor of a store looks with. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { SendAdminOperation } from '../platform/admin-client.ts';
import type { SendSignInRequest } from '../platform/sign-in-request.ts';
import type { SignInAddresses } from '../storage/stores.ts';
import type { VersionedSecretDeps } from '../storage/versioned-secret.ts';

export type CheckStoreDeps = VersionedSecretDeps & {
  readonly sendAdmin: SendAdminOperation;
  readonly send: SendSignInRequest;
  readonly discoverSignIn: (domain: ShopDomain) => Promise<SignInAddresses>;
  readonly platformApiVersion: string;
  readonly now: () => number;
};
