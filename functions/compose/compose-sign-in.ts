/** Composes the dependencies of the sign-in function. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import { createTokenKeyReader } from '../../lib/credentials/token-keys.ts';
import { createContainerShutdown } from '../../lib/http/container-shutdown.ts';
import { createLogger } from '../../lib/observability/logger.ts';
import { measurePlatformTime } from '../../lib/observability/request-context.ts';
import { createCheckDiscovery } from '../../lib/platform/sign-in/check-discovery.ts';
import { createSignInClient } from '../../lib/platform/sign-in/sign-in-client.ts';
import {
  createSendSignInRequest,
  type SendSignInRequest,
} from '../../lib/platform/sign-in/sign-in-request.ts';
import { createSigningKeySet } from '../../lib/platform/sign-in/signing-key-set.ts';
import type { SignInDeps } from '../../lib/sign-in/sign-in-deps.ts';
import { createReadTombstoneKey } from '../../lib/storage/privacy/tombstone-key.ts';
import { createTombstoneRepository } from '../../lib/storage/privacy/tombstones.ts';
import { createSessionLinkRepository } from '../../lib/storage/sessions/session-links.ts';
import { createSessionRepository } from '../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../lib/storage/sessions/sign-ins.ts';
import { createStoreRepository } from '../../lib/storage/stores.ts';
import { composeStorage, type TableAndSecrets } from './compose-storage.ts';
import type { WithContainerEnd } from './compose-store-access.ts';

/** Creates the dependencies of the sign-in endpoints, for one container. */
export function composeSignIn(environment: Environment): SignInDeps & WithContainerEnd {
  const { secretsPrefix } = environment;
  const now = Date.now;
  const logger = createLogger({
    functionName: 'headless-auth',
    level: environment.logLevel,
    metrics: { namespace: secretsPrefix, now },
  });
  const containerEnd = createContainerShutdown({ logger });
  const storage = composeStorage(environment, containerEnd.request);
  const deps = createSignInDeps(environment, { ...storage, logger, now });
  return { containerEnd, ...deps };
}

type SignInInput = TableAndSecrets & Pick<SignInDeps, 'logger' | 'now'>;

function createSignInDeps(environment: Environment, signInInput: SignInInput): SignInDeps {
  const { secretsPrefix, platformOrigin, platformGidNamespace } = environment;
  const { table, secrets, logger, now } = signInInput;
  const sendRequest = createSendSignInRequest({ platformOrigin });
  const sendSignInRequest: SendSignInRequest = (request) => measurePlatformTime(() => sendRequest(request));
  return {
    now,
    random: randomBytes,
    sleep,
    logger,
    stores: createStoreRepository({ table, parts: [] }),
    signIns: createSignInRepository({ table }),
    sessions: createSessionRepository({ table }),
    sessionLinks: createSessionLinkRepository({ table }),
    tombstones: createTombstoneRepository({
      table,
      readKey: createReadTombstoneKey({ secrets, secretsPrefix }),
      now,
    }),
    tokenKeys: createTokenKeyReader({ secrets, secretsPrefix, now, logger }),
    platform: createSignInClient({ send: sendSignInRequest }),
    keySet: createSigningKeySet({ send: sendSignInRequest, now }),
    checkPinnedSignInAddresses: createCheckDiscovery({
      send: sendSignInRequest,
      platformOrigin,
      now,
      logger,
    }),
    platformGidNamespace,
  };
}
