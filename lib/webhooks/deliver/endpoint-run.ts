/** One turn of one endpoint: what was read of it, what is under way, and what is not yet written. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Table } from '../../storage/table.ts';
import type { EndpointUrl } from '../guard-address.ts';
import type { WebhookAnswer, WebhookRequest } from '../send-webhook.ts';
import type { WebhookSecret } from '../webhook-secret.ts';
import { type Backlog, listBacklogs, removeBacklog, writeBacklog } from './backlog.ts';
import { type DeliveryHead, type Disabled, readHead, removeHead, writeHead } from './delivery-head.ts';

/** What is sent; `id` is the same for ever. */
export type Webhook = { readonly type: string; readonly id: string; readonly body: string };

/** A place of the store's stream. */
export type StreamEvent = {
  readonly number: number;
  /** Its events go in order; undefined: of no contract. */
  readonly contract: string | undefined;
  /** Undefined: there is nothing to tell any more. */
  readonly webhook: Webhook | undefined;
};

/** An endpoint as its store has configured it. */
export type ServedEndpoint = {
  readonly shopId: ShopId;
  readonly id: string;
  readonly url: EndpointUrl;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  /** The number of the stream with which it began. */
  readonly startsAt: number;
  readonly version: number;
  readonly replay: { readonly id: string; readonly fromNumber: number } | undefined;
  readonly resends: readonly { readonly id: string; readonly number: number }[];
  /** The secrets that are valid now. */
  readonly openSecrets: () => Promise<readonly WebhookSecret[]>;
};

export type DeliveryDeps = {
  readonly table: Table;
  readonly logger: Logger;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** At most `limit` of the stream from `fromNumber` on, in order; fewer: there are no more. */
  readonly readEvents: (shopId: ShopId, fromNumber: number, limit: number) => Promise<readonly StreamEvent[]>;
  readonly send: (request: WebhookRequest) => Promise<WebhookAnswer>;
  /** Tells the store and the operators that an endpoint was disabled; told twice it is one. */
  readonly tellDisabled: (endpoint: ServedEndpoint, disabled: Disabled) => Promise<void>;
  /** The version that the store has configured by now; undefined: the endpoint is gone. */
  readonly readVersion: (endpoint: ServedEndpoint) => Promise<number | undefined>;
};

/**
 * `endAtMs`: nothing is begun after it. `lastCallAtMs`: of an uninstalled store, when the uninstalling is told whatever waits.
 */
export type DeliveryTurn = {
  readonly endAtMs: number;
  readonly signal: AbortSignal;
  readonly lastCallAtMs?: number;
};

export type EndpointRun = {
  readonly deps: DeliveryDeps;
  readonly endpoint: ServedEndpoint;
  readonly turn: DeliveryTurn;
  readonly head: DeliveryHead;
  /** By contract: all that are to be retried, and the parked ones that were met. */
  readonly backlogs: Map<string, Backlog>;
  /** By contract: events of the stream that were read and are not passed. */
  readonly queues: Map<string, StreamEvent[]>;
  /** Contracts of which something is under way. */
  readonly busy: Set<string>;
  /** Contracts of which it is known whether they are parked. */
  readonly lookedUp: Set<string>;
  /** The next number to read. */
  readTo: number;
  isAtEnd: boolean;
  /** How many requests may be under way. */
  mostAtOnce: number;
  /** Numbers passed since the head was written. */
  unsaved: number;
  savedAtMs: number;
  saving: Promise<void>;
  /** When the store's configuration was read last. */
  lookedAtMs: number;
  /** It is another by now: nothing more is begun by what was read. */
  isChanged: boolean;
  isEnded: boolean;
};

export const MOST_AT_ONCE = 32;

/** Another worker has written since: what was read does not count any more. */
export class OutdatedError extends Error {
  constructor() {
    super('another worker serves this endpoint');
    this.name = 'OutdatedError';
  }
}

/** Reads what is known of the endpoint. TEMPORARILY_UNAVAILABLE. */
export async function openRun(
  deps: DeliveryDeps,
  endpoint: ServedEndpoint,
  turn: DeliveryTurn,
): Promise<EndpointRun> {
  const of = { shopId: endpoint.shopId, endpointId: endpoint.id };
  const head = await readHead(deps.table, { ...of, startsAt: endpoint.startsAt });
  const retrying = await listBacklogs(deps.table, { ...of, place: 'RETRYING' });
  return {
    ...{ deps, endpoint, turn, head },
    backlogs: new Map(retrying.map((backlog) => [backlog.of, backlog])),
    queues: new Map(),
    busy: new Set(),
    lookedUp: new Set(),
    readTo: head.passed.cursor,
    isAtEnd: false,
    mostAtOnce: MOST_AT_ONCE,
    unsaved: 0,
    savedAtMs: deps.now(),
    saving: Promise.resolve(),
    lookedAtMs: deps.now(),
    isChanged: false,
    isEnded: false,
  };
}

/** Writes the head, after what is being written of it. Throws an OutdatedError; TEMPORARILY_UNAVAILABLE. */
export function saveHead(run: EndpointRun): Promise<void> {
  run.saving = run.saving.then(async () => {
    run.unsaved = 0;
    run.savedAtMs = run.deps.now();
    const isFirst = run.head.version === 0;
    if ((await writeHead(run.deps.table, run.head)) === 'refused') throw new OutdatedError();
    if (isFirst) await leaveIfGone(run);
  });
  return run.saving;
}

/** Whoever deletes an endpoint removes its head; one that is first written after that would stay for ever. */
async function leaveIfGone({ deps, endpoint }: EndpointRun): Promise<void> {
  if ((await deps.readVersion(endpoint)) !== undefined) return;
  await removeHead(deps.table, { shopId: endpoint.shopId, endpointId: endpoint.id });
  throw new OutdatedError();
}

/** Writes a backlog and remembers it. Throws an OutdatedError; TEMPORARILY_UNAVAILABLE. */
export async function saveBacklog(run: EndpointRun, backlog: Backlog): Promise<Backlog> {
  const saved = await writeBacklog(run.deps.table, backlog, run.deps.now());
  if (saved === undefined) throw new OutdatedError();
  run.backlogs.set(saved.of, saved);
  return saved;
}

/** Removes a backlog and forgets it. Throws an OutdatedError; TEMPORARILY_UNAVAILABLE. */
export async function dropBacklog(run: EndpointRun, backlog: Backlog): Promise<void> {
  if ((await removeBacklog(run.deps.table, backlog)) === 'refused') throw new OutdatedError();
  if (run.backlogs.get(backlog.of)?.state === backlog.state) run.backlogs.delete(backlog.of);
}

/** The contract whose events wait for this one; an event of none waits for nobody. */
export function orderOf({ contract, number }: StreamEvent): string {
  return contract ?? `#${number}`;
}
