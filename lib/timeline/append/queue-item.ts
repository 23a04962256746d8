/**
 * The queue of the append step: scheduled tasks of the kind `intent`, in the order of their numbers. An item is a change of the
 * service, an entry without an intent, an observation, or a notice.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { ScheduledTask, ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { NewStreamRecord, StoreEvent } from '../../storage/stream/stream-record.ts';
import { type ContractNumber, type EventRecord, formatEventNumber } from '../event-record.ts';
import { type OpenIntent, streamOrderReservationRef, toOpenIntent } from '../intent.ts';
import { contractObservationId, type Observation } from './observation.ts';

/** A queued event that webhooks report although no timeline entry records it. */
export type EventNotice = {
  readonly shopId: ShopId;
  /** The permanent id of the event, which receivers see. */
  readonly id: string;
  /** Undefined for an event of the whole store. */
  readonly contract: ContractNumber | undefined;
  readonly event: StoreEvent;
  /** The index of the announced order, which the recorded state stores so that the order is announced once. */
  readonly upcomingTold?: number;
  /**
   * The announced payment method and the last month in which its card is valid. The recorded state stores them so that the
   * expiry is announced once.
   */
  readonly expiringTold?: string;
};

/** A queue item with its content: an intent, the intent's entry if it is written, an observation, or a notice. */
export type QueuedTimelineItem = {
  readonly item: ScheduledTask;
  readonly intent: OpenIntent;
  readonly entry: EventRecord | undefined;
  readonly observation: Observation | undefined;
  readonly notice: EventNotice | undefined;
};

/** Returns the stream record of a notice. */
export function toNoticeStreamRecord({ shopId, id, contract, event }: EventNotice): NewStreamRecord {
  return { shopId, id, contract, event };
}

type EnqueueDeps = { readonly scheduledTasks: Pick<ScheduledTasks, 'put'> };

/**
 * Enqueues an observation. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function enqueueObservation(
  deps: EnqueueDeps,
  shopId: ShopId,
  observation: Observation,
): Promise<void> {
  const { contract, startedAtMs: createdAtMs } = observation;
  await putTimelineQueueItem(
    deps,
    { shopId, contract, createdAtMs, id: contractObservationId(observation) },
    { observation },
  );
}

/**
 * Enqueues a notice. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function enqueueEventNotice(deps: EnqueueDeps, notice: EventNotice): Promise<void> {
  const { shopId, contract, id, event } = notice;
  await putTimelineQueueItem(deps, { shopId, contract, id, createdAtMs: event.atMs }, { notice });
}

type QueueItemOrigin = Pick<OpenIntent, 'shopId' | 'contract' | 'createdAtMs' | 'id'>;

async function putTimelineQueueItem(
  { scheduledTasks }: EnqueueDeps,
  origin: QueueItemOrigin,
  payload: object,
): Promise<void> {
  const eventNumber = formatEventNumber({ ...origin, sequence: 0 });
  // `isPlace` marks an item that only reserves an order: no change is in progress.
  const item = { ...origin, number: eventNumber, isPlace: true, changes: [], details: {}, ...payload };
  await scheduledTasks.put({
    ...streamOrderReservationRef({ ...origin, number: eventNumber }),
    payload: item,
  });
}

/** Converts a scheduled task to a queue item. `entry`: the entry of its intent, if it is written. */
export function toQueuedItem(item: ScheduledTask, entry: EventRecord | undefined): QueuedTimelineItem {
  const { observation, notice } = item.payload as Partial<Pick<QueuedTimelineItem, 'observation' | 'notice'>>;
  return { item, intent: toOpenIntent(item), entry, observation, notice };
}

/** Whether the scheduled task is an observation or a notice, which have no timeline entries. */
export function isObservationOrNotice({ payload }: ScheduledTask): boolean {
  return payload.observation !== undefined || payload.notice !== undefined;
}
