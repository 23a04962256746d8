/** Resolves `cancellation` from the timeline of a contract with the platform's status "cancelled". */

import type { EventRecord } from '../../lib/timeline/event-record.ts';
import { type ContractNumber, contractNumberOfGid } from '../../lib/timeline/event-record.ts';
import { findFactChange } from '../../lib/timeline/facts.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { createPartSource } from '../response/project-service-value.ts';
import { buildEventFields } from './build-event-fields.ts';

/** A cancelled contract does not change any more, so few entries follow the cancellation. */
const MAX_ENTRIES_READ = 100;
/** The number of timelines in one read. */
const TIMELINES_PER_READ = 25;

const UNKNOWN_CANCELLATION = { cancelledAt: null, cancelledBy: null, reason: null };

/** Resolves the cancellation of each contract, null unless it is cancelled. One table read for each cancelled contract. */
export async function resolveCancellations(
  context: RunContext,
  tasks: readonly ServiceTask[],
): Promise<unknown[]> {
  const contractNumbers = tasks.map(({ parent: { _svcContract: id, _svcStatus: status } }) =>
    status === 'CANCELLED' ? contractNumberOfGid(String(id)) : undefined,
  );
  const recordByContract = await readCancellations(context, [
    ...new Set(contractNumbers.filter((one) => one !== undefined)),
  ]);
  const translate = recordByContract.size === 0 ? undefined : await context.loadTranslator();
  return tasks.map(({ parent, path }, index) => {
    const contractNumber = contractNumbers[index];
    if (contractNumber === undefined) return null;
    const cancellationRecord = recordByContract.get(contractNumber);
    if (cancellationRecord === undefined || translate === undefined) return UNKNOWN_CANCELLATION;
    const event = buildEventFields(
      context,
      { record: cancellationRecord, translate },
      createPartSource(parent, path.slice(0, -1)),
    );
    return { cancelledAt: event.createdAt, cancelledBy: event.actor, reason: event.reason };
  });
}

async function readCancellations(
  { timeline, store: { shopId } }: RunContext,
  contracts: readonly ContractNumber[],
): Promise<ReadonlyMap<ContractNumber, EventRecord>> {
  const recordByContract = new Map<ContractNumber, EventRecord>();
  for (let startIndex = 0; startIndex < contracts.length; startIndex += TIMELINES_PER_READ) {
    const batch = contracts.slice(startIndex, startIndex + TIMELINES_PER_READ);
    const pages = await timeline.readEvents({ shopId, contracts: batch, args: { last: MAX_ENTRIES_READ } });
    for (const [index, contract] of batch.entries()) {
      const edge = pages[index]?.edges.findLast(({ record }) => isCancellationEntry(record));
      if (edge !== undefined) recordByContract.set(contract, edge.record);
    }
  }
  return recordByContract;
}

function isCancellationEntry({ changes }: EventRecord): boolean {
  return findFactChange(changes, 'status')?.after === 'CANCELLED';
}
