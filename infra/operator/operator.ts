/** Everything that a verb works with, put together for a target. */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminClientParts, composeAdminClient } from '../../functions/compose/compose-admin-client.ts';
import { composeStoreGrants, type StoreGrantParts } from '../../functions/compose/compose-store-grants.ts';
import type { ShopDomain } from '../../lib/domain/shop-domain.ts';
import type { LogFields, Logger } from '../../lib/observability/logger.ts';
import { redact } from '../../lib/observability/redact.ts';
import { createSendAdminRequest } from '../../lib/platform/admin-api/admin-request.ts';
import { createStoreBudget } from '../../lib/platform/admin-api/store-budget.ts';
import { createPostForm } from '../../lib/platform/grants/post-form.ts';
import { discoverSignIn } from '../../lib/platform/sign-in/discover-sign-in.ts';
import { createSendSignInRequest } from '../../lib/platform/sign-in/sign-in-request.ts';
import { createOneTimeLinks } from '../../lib/storage/one-time-links.ts';
import { createRemoveSecret } from '../../lib/storage/sdk-client/remove-secret.ts';
import { createSecrets } from '../../lib/storage/sdk-client/sdk-secrets.ts';
import { createTable } from '../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../lib/storage/sdk-client/table-scan.ts';
import { createSessions } from '../../lib/storage/sessions/sessions.ts';
import { createSignIns } from '../../lib/storage/sessions/sign-ins.ts';
import { createStorefrontTokens } from '../../lib/storage/storefront-tokens.ts';
import { createStores } from '../../lib/storage/stores.ts';
import { linksWithoutWrites, noRemoval, secretsWithoutWrites, tableWithoutWrites } from './dry-run.ts';
import type { Target } from './target.ts';

export type Operator = ReturnType<typeof composeOperator>;
type Options = {
  readonly progress: (words: string) => void;
  /** File that lines of what was changed are added to. */
  readonly logFile: string | undefined;
  /** The operator can write nothing. */
  readonly isDryRun: boolean;
};

/** The parts, over the real clients. */
export function composeOperator(target: Target, { progress, logFile, isDryRun }: Options) {
  const { dynamoDb, secretsManager, tableName, secretsPrefix, platformOrigin } = target;
  const now = () => Date.now() + target.clockOffsetMs;
  const realTable = createTable({ client: dynamoDb, tableName });
  const realSecrets = createSecrets({ client: secretsManager });
  const table = isDryRun ? tableWithoutWrites(realTable) : realTable;
  const secrets = isDryRun ? secretsWithoutWrites(realSecrets) : realSecrets;
  const links = createOneTimeLinks({ table });
  const stores = createStores({ table });
  const send = createSendSignInRequest({ platformOrigin });
  const logger = createAuditLog(isDryRun ? undefined : logFile, now);
  return {
    target,
    now,
    random: (bytes: number): Uint8Array => randomBytes(bytes),
    wait: async (ms: number) => void (await sleep(ms)),
    progress,
    logger,
    table,
    scan: createTableScan({ client: dynamoDb, tableName }),
    stores,
    secrets,
    removeSecret: isDryRun ? noRemoval : createRemoveSecret({ client: secretsManager }),
    secretsPrefix,
    links: isDryRun ? linksWithoutWrites(links) : links,
    sessions: createSessions({ table }),
    storefrontTokens: createStorefrontTokens({ table }),
    signIns: createSignIns({ table }),
    send,
    postForm: createPostForm({ send }),
    sendAdminRequest: createSendAdminRequest(),
    discoverSignIn: (domain: ShopDomain) => discoverSignIn({ send, platformOrigin }, domain),
    platformApiVersion: target.platformApiVersion,
    ...composeAdmin(target, { table, secrets, stores, logger, now }),
  };
}

type AdminParts = Omit<StoreGrantParts & AdminClientParts, 'environment' | 'grants'>;

function composeAdmin(target: Target, parts: AdminParts) {
  const grants = composeStoreGrants({ ...parts, environment: target });
  const sendAdmin = composeAdminClient({ ...parts, environment: target, grants });
  const wait = async (ms: number) => void (await sleep(ms));
  const sendWithinBudget = createStoreBudget({ send: sendAdmin, now: parts.now, wait });
  return { grants, sendAdmin, sendWithinBudget };
}

/** What was changed, as JSON lines: restoring the table replays them. */
function createAuditLog(file: string | undefined, now: () => number): Logger {
  const write = (message: string, fields: LogFields = {}) => {
    if (file === undefined) return;
    const line = { message, at: new Date(now()).toISOString(), ...redact(fields) };
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  return { debug: () => undefined, info: write, warn: () => undefined, error: () => undefined };
}
