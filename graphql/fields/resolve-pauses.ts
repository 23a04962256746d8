/** `currentPause` is the platform's status with what is kept here of who paused, why and until when. */
import { type ContractRef, contractRef } from '../../lib/subscriptions/contract-ref.ts';
import { createPauseRecords, type PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import { partsOn } from '../answer/project-service-value.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { actorValue } from './actor-value.ts';
import { isoInstant } from './iso-instant.ts';

/** The pause of each contract, null unless the platform says that it is paused. One table read for 100 contracts. */
export async function resolvePauses(context: RunContext, tasks: readonly ServiceTask[]): Promise<unknown[]> {
  const refs = tasks.map(({ parent: { _svcContract: id, _svcStatus: status } }) =>
    status === 'PAUSED' ? contractRef(context.store.shopId, String(id)) : undefined,
  );
  const records = await readAll(context, refs);
  return refs.map((ref, index) => {
    const task = tasks[index];
    return ref === undefined || task === undefined
      ? null
      : pauseValue(context, task, records.get(ref.contractNumber));
  });
}

async function readAll(
  { table }: RunContext,
  refs: readonly (ContractRef | undefined)[],
): Promise<ReadonlyMap<string, PauseRecord>> {
  const paused = refs.filter((ref) => ref !== undefined);
  const found = (await createPauseRecords({ table }).readMany(paused)).filter((one) => one !== undefined);
  return new Map(found.map((record) => [record.contractNumber, record]));
}

/** The pause as its fields tell it. One that was made elsewhere has no record, or one of its end alone. */
function pauseValue(context: RunContext, { parent, path }: ServiceTask, record: PauseRecord | undefined) {
  if (record === undefined) return { pausedAt: null, resumesAt: null, reason: null, pausedBy: null };
  const { pausedAtMs, pausedBy, resumesAtMs, reason, setBy } = record;
  const { actingCustomerId } = context.identity;
  const isOwn = setBy.kind === 'CUSTOMER' && setBy.customerId === actingCustomerId;
  const contract = partsOn(parent, path.slice(0, -1));
  return {
    pausedAt: instant(pausedAtMs),
    resumesAt: instant(resumesAtMs),
    reason: context.isMerchant || isOwn ? (reason ?? null) : null,
    pausedBy: pausedBy === undefined ? null : actorValue(context, pausedBy, contract),
  };
}

function instant(atMs: number | undefined): string | null {
  return atMs === undefined ? null : isoInstant(atMs);
}
