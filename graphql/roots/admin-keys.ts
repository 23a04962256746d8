/** `adminKeysRoot` lists the active keys of the requesting key's store, without a request to the platform. */
import { formatGid } from '../../lib/domain/gid.ts';
import { formatPlatformDate } from '../../lib/domain/instant.ts';
import {
  type AdminKeyRecord,
  adminKeyExpiresAtMs,
  adminKeyScopes,
  findAdminKeyProblem,
  parseAdminKeys,
} from '../../lib/storage/admin-key-record.ts';
import { compileServiceSelection } from '../compile/selection/build-response-shape.ts';
import { buildUnsentRoot } from '../compile/write-root.ts';
import type { RootHandler } from '../plan/root-handler.ts';
import type { RunContext } from '../plan/run-context.ts';
import { startUnsentRoot } from '../run/start-root.ts';
import {
  buildServiceValueResponse,
  type SelectedServiceValue,
  type ServiceValueResult,
} from './build-service-value-response.ts';

export const adminKeysRoot: RootHandler<SelectedServiceValue, ServiceValueResult> = {
  compile: (context, { key, fields, access }) => ({
    texts: [],
    root: {
      ...buildUnsentRoot(context, key, fields),
      access,
      special: { selection: compileServiceSelection(context, fields, 'AdminKey') },
    },
  }),
  start: (_context, root) => startUnsentRoot(root),
  async follow(context, roots) {
    const activeKeys = await readActiveKeys(context);
    return roots.map(() => ({ value: activeKeys, errors: [] }));
  },
  respond: buildServiceValueResponse,
};

/**
 * Reads the active keys, oldest first, as values of the schema.
 * @throws TEMPORARILY_UNAVAILABLE
 */
async function readActiveKeys(context: RunContext): Promise<readonly object[]> {
  const { store, readVersion, now } = context;
  if (store.adminKeysVersionId === undefined) return [];
  const { keys } = parseAdminKeys(await readVersion(store.shopId, 'admin-keys', store.adminKeysVersionId));
  const activeKeys = keys.filter((record) => findAdminKeyProblem(record, store, now()) === undefined);
  activeKeys.sort((one, other) => one.createdAt - other.createdAt);
  return activeKeys.map((record) => toKeyValue(context, record));
}

const HOUR_MS = 3_600_000;

function toKeyValue({ actor, identity, store, now }: RunContext, record: AdminKeyRecord) {
  const isKeyOfRequest = actor.kind === 'store' && actor.keyId === record.id;
  // The use by this request may not be recorded yet.
  const nowMs = now();
  const lastUse = isKeyOfRequest ? nowMs - (nowMs % HOUR_MS) : store.keyLastUses?.[record.id];
  return {
    id: formatGid({ namespace: identity.namespaces.platform, type: 'AdminKey', tail: record.id }),
    label: record.label,
    scopes: adminKeyScopes(record),
    createdAt: formatPlatformDate(record.createdAt),
    expiresAt: formatPlatformDate(adminKeyExpiresAtMs(record, store)),
    lastUsedAt: formatPlatformDate(lastUse),
    allowedNetworks: record.networks ?? [],
    isCurrent: isKeyOfRequest,
  };
}
