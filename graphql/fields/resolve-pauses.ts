/** Resolves `currentPause` from the platform's status and the stored record of the pause: its actor, reason and end. */

import { formatPlatformDate } from '../../lib/domain/instant.ts';
import type { PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { createPartSource } from '../response/project-service-value.ts';
import { buildActorFields } from './actor-value.ts';
import { readPauses } from './read-pauses.ts';

/**
 * Returns the pause of each contract, or null when the platform's status is not "paused". One table read for 100
 * contracts.
 */
export const resolvePauses: ResolveServiceField = async (context, tasks, { pauses }) => {
  const pausedTasks = tasks.filter(({ parent }) => parent._svcStatus === 'PAUSED');
  const pauseByContract = await readPauses(
    context,
    pausedTasks.map(({ parent }) => String(parent._svcContract)),
    pauses,
  );
  return tasks.map((task) => {
    const { _svcContract: id, _svcStatus: status } = task.parent;
    return status === 'PAUSED' ? toPauseValue(context, task, pauseByContract.get(String(id))) : null;
  });
};

/**
 * Returns the fields of a pause. A pause that was made outside the service has no record, or a record with only its
 * end.
 */
function toPauseValue(context: RunContext, { parent, path }: ServiceTask, record: PauseRecord | undefined) {
  if (record === undefined) return { pausedAt: null, resumesAt: null, reason: null, pausedBy: null };
  const { pausedAtMs, pausedBy, resumesAtMs, reason, setBy } = record;
  const { actingCustomerId } = context.identity;
  const isSetByActingCustomer = setBy.kind === 'CUSTOMER' && setBy.customerId === actingCustomerId;
  const contractSource = createPartSource(parent, path.slice(0, -1));
  return {
    pausedAt: formatPlatformDate(pausedAtMs),
    resumesAt: formatPlatformDate(resumesAtMs),
    reason: context.isMerchant || isSetByActingCustomer ? (reason ?? null) : null,
    pausedBy: pausedBy === undefined ? null : buildActorFields(context, pausedBy, contractSource),
  };
}
