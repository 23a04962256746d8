/** The dependencies of all commands, composed for a target. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminClientInput, composeAdminClient } from '../functions/compose/compose-admin-client.ts';
import { composeStoreGrants, type StoreGrantsInput } from '../functions/compose/compose-store-grants.ts';
import type { ShopDomain } from '../lib/domain/shop-domain.ts';
import type { Logger } from '../lib/observability/logger.ts';
import { createSendAdminRequest } from '../lib/platform/admin-api/admin-request.ts';
import { createSendWithinBudget } from '../lib/platform/admin-api/send-within-budget.ts';
import { createPostForm } from '../lib/platform/grants/post-form.ts';
import { discoverSignInAddresses } from '../lib/platform/sign-in/discover-sign-in.ts';
import { createSendSignInRequest } from '../lib/platform/sign-in/sign-in-request.ts';
import { createOneTimeLinkRepository } from '../lib/storage/one-time-links.ts';
import { createComplianceRequestRepository } from '../lib/storage/privacy/compliance-requests.ts';
import { createReadTombstoneKey } from '../lib/storage/privacy/tombstone-key.ts';
import { createTombstoneRepository } from '../lib/storage/privacy/tombstones.ts';
import { createScheduledTaskRepository } from '../lib/storage/scheduled-tasks.ts';
import { createRemoveSecret } from '../lib/storage/sdk-client/remove-secret.ts';
import { createSdkSecretsClient } from '../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../lib/storage/sdk-client/table-scan.ts';
import { createSessionRepository } from '../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../lib/storage/sessions/sign-ins.ts';
import { createStorefrontTokenRepository } from '../lib/storage/storefront-tokens.ts';
import { createStoreRepository } from '../lib/storage/stores.ts';
import { createReadOnlyLinks, createReadOnlySecrets, createReadOnlyTable, rejectWrite } from './dry-run.ts';
import { protectTable } from './protect-table.ts';
import type { OperatorTarget } from './target.ts';
import type { CommandTrace } from './trace/trace.ts';
import { createTraceStore } from './trace/trace-store.ts';
import { createTracedCall, createTracedSecrets, createTracedTable } from './trace/traced-deps.ts';

export type Operator = ReturnType<typeof composeOperator>;
type OperatorOptions = {
  readonly progress: (message: string) => void;
  /** Records the command before its first write. */
  readonly trace: CommandTrace;
  /** Whether all writes are replaced. */
  readonly isDryRun: boolean;
};

/** Composes the dependencies over the real clients. */
export function composeOperator(target: OperatorTarget, { progress, trace, isDryRun }: OperatorOptions) {
  const { dynamoDb, secretsManager, tableName, secretsPrefix, platformOrigin } = target;
  const now = () => Date.now() + target.clockOffsetMs;
  const realTable = createSdkTableClient({ client: dynamoDb, tableName });
  const realSecrets = createSdkSecretsClient({ client: secretsManager });
  const table = isDryRun ? createReadOnlyTable(realTable) : createTracedTable(trace, realTable);
  const secrets = isDryRun ? createReadOnlySecrets(realSecrets) : createTracedSecrets(trace, realSecrets);
  const protectTableUnlessLocal = target.isLocal
    ? async () => undefined
    : () => protectTable(dynamoDb, tableName);
  const oneTimeLinks = createOneTimeLinkRepository({ table });
  const stores = createStoreRepository({ table });
  const sendSignInRequest = createSendSignInRequest({ platformOrigin });
  const logger = createTraceLogger(trace);
  return {
    target,
    now,
    random: (bytes: number): Uint8Array => randomBytes(bytes),
    wait: async (ms: number): Promise<void> => void (await sleep(ms)),
    progress,
    trace,
    traceStore: createTraceStore(target.logs, target.traceGroup),
    logger,
    table,
    scan: createTableScan({ client: dynamoDb, tableName }),
    stores,
    secrets,
    removeSecret: isDryRun
      ? rejectWrite
      : createTracedCall(trace, createRemoveSecret({ client: secretsManager })),
    protectTable: isDryRun ? rejectWrite : createTracedCall(trace, protectTableUnlessLocal),
    secretsPrefix,
    links: isDryRun ? createReadOnlyLinks(oneTimeLinks) : oneTimeLinks,
    sessions: createSessionRepository({ table }),
    storefrontTokens: createStorefrontTokenRepository({ table }),
    signIns: createSignInRepository({ table }),
    scheduledTasks: createScheduledTaskRepository({ table, now }),
    tombstones: createTombstoneRepository({
      table,
      readKey: createReadTombstoneKey({ secrets, secretsPrefix }),
      now,
    }),
    complianceRequests: createComplianceRequestRepository({ table }),
    send: sendSignInRequest,
    postForm: createPostForm({ send: sendSignInRequest }),
    sendAdminRequest: createSendAdminRequest({ now }),
    discoverSignIn: (domain: ShopDomain) =>
      discoverSignInAddresses({ send: sendSignInRequest, platformOrigin }, domain),
    platformApiVersion: target.platformApiVersion,
    ...composeAdminClients(target, { table, secrets, stores, logger, now }),
  };
}

type AdminClientsInput = Omit<StoreGrantsInput & AdminClientInput, 'environment' | 'grants'>;

function composeAdminClients(target: OperatorTarget, clientsInput: AdminClientsInput) {
  const grants = composeStoreGrants({ ...clientsInput, environment: target });
  const sendAdmin = composeAdminClient({ ...clientsInput, environment: target, grants });
  const wait = async (ms: number) => void (await sleep(ms));
  const sendWithinBudget = createSendWithinBudget({ send: sendAdmin, now: clientsInput.now, wait });
  return { grants, sendAdmin, sendWithinBudget };
}

/** Adds the log events of the use cases to the trace. */
function createTraceLogger({ recordChange }: CommandTrace): Logger {
  return { debug: () => undefined, info: recordChange, warn: () => undefined, error: () => undefined };
}
