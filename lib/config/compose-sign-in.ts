/** Puts the real parts of the sign-in function together. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenKeys } from '../credentials/token-keys.ts';
import { createLogger } from '../observability/logger.ts';
import { createSignInClient } from '../platform/sign-in-client.ts';
import { createDiscoveryCheck } from '../platform/sign-in-discovery.ts';
import { createKeySet } from '../platform/sign-in-key-set.ts';
import { createSendSignInRequest } from '../platform/sign-in-request.ts';
import type { SignInDeps } from '../sign-in/sign-in-deps.ts';
import type { StorefrontTokenDeps } from '../sign-in/storefront-token.ts';
import { createSecrets } from '../storage/secrets.ts';
import { createSessionLinks } from '../storage/session-links.ts';
import { createSessions } from '../storage/sessions.ts';
import { createSignIns } from '../storage/sign-ins.ts';
import { createStorefrontTokens } from '../storage/storefront-tokens.ts';
import { createStores } from '../storage/stores.ts';
import { createTable } from '../storage/table.ts';
import { createDynamoDbClient, createSecretsManagerClient } from './clients.ts';
import { composeAdminClient, composeStoreGrants } from './compose-admin-client.ts';
import type { Environment } from './environment.ts';

/** Everything the sign-in endpoints work with, of one container. */
export function composeSignIn(environment: Environment): SignInDeps & StorefrontTokenDeps {
  const { tableName, secretsPrefix, platformOrigin } = environment;
  const now = Date.now;
  const logger = createLogger({
    functionName: 'headless-auth',
    level: environment.logLevel,
    metrics: { namespace: secretsPrefix, now },
  });
  const table = createTable({ client: createDynamoDbClient(), tableName });
  const secrets = createSecrets({ client: createSecretsManagerClient() });
  const send = createSendSignInRequest({ platformOrigin });
  const stores = createStores({ table });
  const grants = composeStoreGrants({ environment, table, secrets, stores, logger, now });
  return {
    now,
    random: randomBytes,
    sleep,
    logger,
    stores,
    signIns: createSignIns({ table }),
    sessions: createSessions({ table }),
    sessionLinks: createSessionLinks({ table }),
    storefrontTokens: createStorefrontTokens({ table }),
    tokenKeys: createTokenKeys({ secrets, secretsPrefix, now, logger }),
    platform: createSignInClient({ send }),
    keySet: createKeySet({ send, now }),
    checkDiscovery: createDiscoveryCheck({ send, platformOrigin, now, logger }),
    platformGidNamespace: environment.platformGidNamespace,
    sendAdminOperation: composeAdminClient({ environment, grants, logger, now }),
  };
}
