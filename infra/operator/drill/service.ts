/** The functions as far as a restore is about them: sign-ins, admin keys and the page of a link, over one table. */
import { randomUUID } from 'node:crypto';
import { signInOver } from '../../../functions/compose/compose-sign-in.ts';
import { createNoteKeyUse } from '../../../lib/credentials/note-key-use.ts';
import { createAdminKeyVerifier } from '../../../lib/credentials/verify-admin-key.ts';
import { parseShopDomain, type ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { type LinkSecret, openKey, proofOf } from '../../../lib/domain/tokens/one-time-link-secret.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { LogFields, Logger } from '../../../lib/observability/logger.ts';
import { redact } from '../../../lib/observability/redact.ts';
import { exchange } from '../../../lib/sign-in/exchange/exchange.ts';
import { refresh } from '../../../lib/sign-in/sessions/refresh.ts';
import { revoke } from '../../../lib/sign-in/sessions/revoke.ts';
import type { TokenPair } from '../../../lib/sign-in/sessions/token-pair.ts';
import { start } from '../../../lib/sign-in/start.ts';
import { createOneTimeLinks, type LinkId } from '../../../lib/storage/one-time-links.ts';
import { createSecrets } from '../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createTable } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { createStores } from '../../../lib/storage/stores.ts';
import { createVersionReader } from '../../../lib/storage/versioned-secret.ts';
import { type ClaimKeyDeps, claimAdminKey } from '../../../lib/stores/admin-keys/claim-admin-key.ts';
import { playSignInPages } from '../../emulators/sign-in-pages.ts';
import { OperatorError } from '../operator-error.ts';
import type { Target } from '../target.ts';

/** `ok`, or the code of the refusal. */
export type Answer<Value> = { readonly code: string; readonly value?: Value };
export type Service = ReturnType<typeof openService>;

/** `log` takes what the functions log, as JSON lines. */
export function openService(target: Target, platformUrl: string, log: (line: string) => void) {
  const { secretsPrefix, tableName } = target;
  const now = Date.now;
  const logger = lineLogger(log);
  const table = createTable({ client: target.dynamoDb, tableName });
  const secrets = createSecrets({ client: target.secretsManager });
  const stores = createStores({ table });
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  const signIn = signInOver(target, { table, secrets, logger, now });
  const verifyKey = createAdminKeyVerifier({
    ...{ stores, readVersion, now, logger },
    noteUse: createNoteKeyUse({ table, now }),
  });
  const claiming = { table, links: createOneTimeLinks({ table }), stores, readVersion, logger, now };
  const shopOf = (domain: string) => parseShopDomain(domain, target.shopDomainSuffixes) as ShopDomain;
  const presented = (domain: string, { customerId, refreshToken }: TokenPair) => ({
    ...{ shop: shopOf(domain), customerId, refreshToken },
  });

  return {
    async signIn(domain: string, email: string): Promise<TokenPair> {
      const { authUrl, verifier, nonce } = await start(signIn, { shop: shopOf(domain) });
      const readCode = () => oneTimeCode(platformUrl, email);
      const callback = await playSignInPages({ authUrl, email, readCode, seen: () => undefined });
      const code = new URL(callback).searchParams.get('code') ?? '';
      const userAgent = 'Restore drill';
      return exchange(signIn, { shop: shopOf(domain), code, verifier, nonce, userAgent });
    },
    refresh: (domain: string, pair: TokenPair) => answerOf(refresh(signIn, presented(domain, pair))),
    signOut: (domain: string, pair: TokenPair) => answerOf(revoke(signIn, presented(domain, pair))),
    askWithKey: (key: string) => answerOf(verifyKey(`Bearer ${key}`)),
    openLink: (link: string, domain: string) => openLink(claiming, link, shopOf(domain)),
  };
}

/** The key behind a link, or why it does not open. */
async function openLink(deps: ClaimKeyDeps, link: string, domain: ShopDomain): Promise<Answer<string>> {
  const { pathname, hash } = new URL(link);
  const secret = hash.slice(1) as LinkSecret;
  const linkId = (pathname.split('/').at(-1) ?? '') as LinkId;
  const request = { linkId, proof: proofOf(secret), claimId: randomUUID(), domain };
  const claimed = await claimAdminKey(deps, request);
  // Whoever has a link that was opened by somebody else must hear so.
  if (claimed.outcome === 'gone' && claimed.openedAtMs === undefined) return { code: 'void' };
  if (claimed.outcome !== 'opened') return { code: claimed.outcome };
  return { code: 'ok', value: openKey(claimed.sealedKey, secret) ?? '' };
}

async function answerOf<Value>(work: Promise<Value>): Promise<Answer<Value>> {
  try {
    return { code: 'ok', value: await work };
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code };
    throw error;
  }
}

async function oneTimeCode(platformUrl: string, email: string): Promise<string> {
  const answer = await fetch(`${platformUrl}/_control/one-time-code?email=${encodeURIComponent(email)}`);
  if (!answer.ok) throw new OperatorError(`The platform has sent no code to ${email}.`);
  return ((await answer.json()) as { code: string }).code;
}

function lineLogger(log: (line: string) => void): Logger {
  const write = (message: string, fields: LogFields = {}) => {
    log(JSON.stringify({ ...redact(fields), message, timestamp: new Date().toISOString() }));
  };
  return { debug: () => undefined, info: write, warn: write, error: write };
}
