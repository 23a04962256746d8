import type { TokenKeys } from '../credentials/token-keys.ts';
import type { Logger } from '../observability/logger.ts';
import type { CheckDiscovery } from '../platform/sign-in/check-discovery.ts';
import type { SignInClient } from '../platform/sign-in/sign-in-client.ts';
import type { SigningKeySet } from '../platform/sign-in/signing-key-set.ts';
import type { Tombstones } from '../storage/privacy/tombstones.ts';
import type { SessionLinks } from '../storage/sessions/session-links.ts';
import type { Sessions } from '../storage/sessions/sessions.ts';
import type { SignIns } from '../storage/sessions/sign-ins.ts';
import type { Stores } from '../storage/stores.ts';

/** The dependencies of the sign-in use cases. functions/compose/compose-sign-in.ts creates them. */
export type SignInDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly sleep: (ms: number) => Promise<void>;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly signIns: SignIns;
  readonly sessions: Sessions;
  readonly sessionLinks: SessionLinks;
  readonly tombstones: Pick<Tombstones, 'hashOf' | 'find' | 'lift'>;
  readonly tokenKeys: TokenKeys;
  readonly platform: SignInClient;
  readonly keySet: SigningKeySet;
  readonly checkPinnedSignInAddresses: CheckDiscovery;
  /** The namespace of the platform's global ids (`shopify`). */
  readonly platformGidNamespace: string;
};
