/** Stores the sessions, grants and tokens of one store's oidc-provider in memory. A state file follows the changes. */
import type { Adapter, AdapterPayload } from 'oidc-provider';

/** The records by `<model>:<id>`. `exp` is epoch seconds. */
export type SignInRecords = Map<string, AdapterPayload>;

const WRITES_BETWEEN_PURGES = 200;
const DAY_SECONDS = 86_400;

type RecordStoreDeps = {
  readonly records: SignInRecords;
  readonly onChange: () => void;
  readonly nowMs: () => number;
};

/**
 * Creates the factory with which oidc-provider creates one adapter for each model. Adapters return copies, so changes
 * must be saved.
 */
export function createAdapterFactory({
  records,
  onChange,
  nowMs,
}: RecordStoreDeps): (model: string) => Adapter {
  let writeCount = 0;
  function putRecord(key: string, payload: AdapterPayload): void {
    records.set(key, structuredClone(payload));
    writeCount += 1;
    if (writeCount % WRITES_BETWEEN_PURGES === 0) purgeExpired(records, nowMs() / 1000 - DAY_SECONDS);
    onChange();
  }
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const readRecord = (key: string) => structuredClone(records.get(key));
    return {
      upsert: async (id, payload) => putRecord(keyOf(id), payload),
      find: async (id) => readRecord(keyOf(id)),
      findByUid: async (uid) =>
        structuredClone(findSessionEntry(records, (session) => session.uid === uid)?.[1]),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = readRecord(keyOf(id));
        if (payload !== undefined) putRecord(keyOf(id), { ...payload, consumed: Math.floor(nowMs() / 1000) });
      },
      async destroy(id) {
        records.delete(keyOf(id));
        onChange();
      },
      async revokeByGrantId(grantId) {
        endGrant(records, grantId);
        onChange();
      },
    };
  };
}

/** Returns the first matching session, with its key. */
export function findSessionEntry(
  records: SignInRecords,
  matches: (session: AdapterPayload) => boolean,
): [string, AdapterPayload] | undefined {
  return [...records].find(([key, payload]) => key.startsWith('Session:') && matches(payload));
}

/** Ends the session of a browser and every grant made in it (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export function endSession(records: SignInRecords, sid: string): void {
  const grantIds = [...records.values()].flatMap(({ sid: ownSid, grantId }) =>
    ownSid === sid && typeof grantId === 'string' ? [grantId] : [],
  );
  for (const grantId of new Set(grantIds)) {
    endGrant(records, grantId);
    records.delete(`Grant:${grantId}`);
  }
  const session = findSessionEntry(records, ({ authorizations = {} }) =>
    Object.values(authorizations).some((authorization) => authorization.sid === sid),
  );
  if (session !== undefined) records.delete(session[0]);
}

function endGrant(records: SignInRecords, grantId: string): void {
  for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
}

function purgeExpired(records: SignInRecords, beforeSeconds: number): void {
  for (const [key, { exp }] of records) {
    if (typeof exp === 'number' && exp < beforeSeconds) records.delete(key);
  }
}
