/** One time slice of one endpoint: the state that was read from the table, attempts in progress, and unsaved changes. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Table } from '../../storage/table.ts';
import type { EndpointRecord } from '../endpoints.ts';
import type { WebhookRequest, WebhookResponse } from '../send-webhook.ts';
import type { WebhookSecret } from '../webhook-secret.ts';
import { type Backlog, listBacklogs, removeBacklog, writeBacklog } from './backlog.ts';
import {
  type DisabledState,
  type EndpointDeliveryState,
  readEndpointDeliveryState,
  removeEndpointDeliveryState,
  writeEndpointDeliveryState,
} from './endpoint-delivery-state.ts';

/** An event as it is sent. `id`: the event's id, the same in every attempt. */
export type WebhookToSend = { readonly type: string; readonly id: string; readonly body: string };

/** An event of the store's stream. */
export type StreamEvent = {
  readonly number: number;
  /** The number of the contract, whose events are sent in order; undefined for an event without a contract. */
  readonly contract: string | undefined;
  /** Undefined when the event is not sent any more, for example because its entry no longer exists. */
  readonly webhook: WebhookToSend | undefined;
};

/** An endpoint in the store's configuration. */
export type ServedEndpoint = Pick<EndpointRecord, 'shopId' | 'url' | 'startsAt' | 'version'> & {
  readonly id: string;
  /** Null means all types. */
  readonly types: readonly string[] | null;
  readonly replay?: { readonly id: string; readonly fromNumber: number };
  readonly resends?: readonly { readonly id: string; readonly number: number }[];
  /** Opens the currently valid secrets. */
  readonly openSecrets: () => Promise<readonly WebhookSecret[]>;
};

export type DeliveryDeps = {
  readonly table: Table;
  readonly logger: Logger;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Reads at most `limit` events of the stream from `fromNumber` on, in order; fewer at its end. */
  readonly readEvents: (shopId: ShopId, fromNumber: number, limit: number) => Promise<readonly StreamEvent[]>;
  readonly send: (request: WebhookRequest) => Promise<WebhookResponse>;
  /** Notifies the store and the operators that an endpoint was disabled. Idempotent. */
  readonly reportDisabledEndpoint: (endpoint: ServedEndpoint, disabled: DisabledState) => Promise<void>;
  /**
   * Reads the current version of the endpoint's configuration.
   * @returns undefined when the endpoint no longer exists
   */
  readonly readVersion: (endpoint: ServedEndpoint) => Promise<number | undefined>;
};

/**
 * `endAtMs`: no attempt starts after it. `uninstallDeadlineAtMs`: when an uninstalled store's uninstall event is sent, even if
 * earlier events wait.
 */
export type DeliveryTimeSlice = {
  readonly endAtMs: number;
  readonly signal: AbortSignal;
  readonly uninstallDeadlineAtMs?: number;
};

export type EndpointRun = {
  readonly deps: DeliveryDeps;
  readonly endpoint: ServedEndpoint;
  readonly timeSlice: DeliveryTimeSlice;
  readonly deliveryState: EndpointDeliveryState;
  /** All backlogs to retry, and the parked backlogs that were read, by contract. */
  readonly backlogs: Map<string, Backlog>;
  /** The events that were read from the stream and are not processed yet, by contract. */
  readonly queues: Map<string, StreamEvent[]>;
  /** The ordering keys of the contracts with a step in progress. */
  readonly busyContracts: Set<string>;
  /** The ordering keys of the contracts of which this run has read whether they have a parked backlog. */
  readonly checkedForParked: Set<string>;
  /** The stream number from which the next page is read. */
  nextReadNumber: number;
  isStreamReadToEnd: boolean;
  /** The maximum number of concurrent requests. */
  maxConcurrency: number;
  /** How many changes of the delivery state, such as processed numbers, were made since it was written. */
  unsavedCount: number;
  savedAtMs: number;
  pendingSave: Promise<void>;
  /** When the endpoint's configuration was last read or compared, in epoch milliseconds. */
  configReadAtMs: number;
  /** The configuration has changed: no further attempt starts with the old one. */
  isConfigurationChanged: boolean;
  isEnded: boolean;
};

export const MAX_CONCURRENT_ATTEMPTS = 32;

/** The error of a write that fails because another worker has written since: the state that was read is outdated. */
export class OutdatedEndpointStateError extends Error {
  constructor() {
    super('another worker serves this endpoint');
    this.name = 'OutdatedError';
  }
}

/**
 * Starts a run: reads the endpoint's delivery state and its backlogs to retry.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function loadEndpointRun(
  deps: DeliveryDeps,
  endpoint: ServedEndpoint,
  timeSlice: DeliveryTimeSlice,
): Promise<EndpointRun> {
  const deliveryState = await readEndpointDeliveryState(deps.table, endpoint);
  const retryingBacklogs = await listBacklogs(deps.table, endpoint, 'RETRYING');
  return {
    ...{ deps, endpoint, timeSlice, deliveryState },
    backlogs: new Map(retryingBacklogs.map((backlog) => [backlog.of, backlog])),
    queues: new Map(),
    busyContracts: new Set(),
    checkedForParked: new Set(),
    nextReadNumber: deliveryState.processedNumbers.cursor,
    isStreamReadToEnd: false,
    maxConcurrency: MAX_CONCURRENT_ATTEMPTS,
    unsavedCount: 0,
    savedAtMs: deps.now(),
    pendingSave: Promise.resolve(),
    configReadAtMs: deps.now(),
    isConfigurationChanged: false,
    isEnded: false,
  };
}

/**
 * Writes the endpoint's delivery state, after a write that is in progress.
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export function saveEndpointDeliveryState(run: EndpointRun): Promise<void> {
  run.pendingSave = run.pendingSave.then(async () => {
    run.unsavedCount = 0;
    run.savedAtMs = run.deps.now();
    const isFirstSave = run.deliveryState.version === 0;
    if ((await writeEndpointDeliveryState(run.deps.table, run.deliveryState)) === 'refused')
      throw new OutdatedEndpointStateError();
    if (isFirstSave) await throwIfEndpointDeleted(run);
  });
  return run.pendingSave;
}

/** Removes a delivery state that was first written after its endpoint was deleted: it would remain forever. */
async function throwIfEndpointDeleted({ deps, endpoint }: EndpointRun): Promise<void> {
  if ((await deps.readVersion(endpoint)) !== undefined) return;
  await removeEndpointDeliveryState(deps.table, endpoint);
  throw new OutdatedEndpointStateError();
}

/**
 * Writes a backlog to the table, and updates it in the run.
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export async function saveBacklog(run: EndpointRun, backlog: Backlog): Promise<Backlog> {
  const savedBacklog = await writeBacklog(run.deps.table, backlog, run.deps.now());
  if (savedBacklog === undefined) throw new OutdatedEndpointStateError();
  run.backlogs.set(savedBacklog.of, savedBacklog);
  return savedBacklog;
}

/**
 * Removes a backlog from the table and from the run.
 * @throws OutdatedEndpointStateError, TEMPORARILY_UNAVAILABLE
 */
export async function deleteBacklog(run: EndpointRun, backlog: Backlog): Promise<void> {
  if ((await removeBacklog(run.deps.table, backlog)) === 'refused') throw new OutdatedEndpointStateError();
  if (run.backlogs.get(backlog.of)?.state === backlog.state) run.backlogs.delete(backlog.of);
}

/** Returns the event's ordering key: its contract, or the event itself if it has no contract. */
export function orderingKeyOf({ contract, number }: StreamEvent): string {
  return contract ?? `#${number}`;
}

/** Whether the endpoint gets the event: the event has a webhook, of a type that the endpoint subscribes to. */
export function isEventSentToEndpoint(
  { endpoint: { types } }: EndpointRun,
  { webhook }: StreamEvent,
): boolean {
  return webhook !== undefined && (types === null || types.includes(webhook.type));
}
