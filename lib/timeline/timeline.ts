/**
 * The timeline tells who did what to which contract: an intent before the platform is asked, an entry when the change
 * is made, nothing when it is not. What stays open is settled by settle-open-intents.ts.
 */

import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import { storeResponse } from '../storage/claim-key.ts';
import { type ClaimedKey, type StoredResponse, storedFieldsOf } from '../storage/idempotency-record.ts';
import {
  contractNumberOf,
  type EventActor,
  type EventRecord,
  eventKey,
  type parseEventNumber,
  toEventRecord,
} from './event-record.ts';
import { claimFor, createIdempotencyRecords, type IdempotencyRecords } from './idempotency-records.ts';
import {
  addFurther,
  dropIntent,
  type EndDeps,
  type OpenIntent,
  type Settlement,
  settleAsEntry,
  writeIntent,
} from './intent.ts';
import { type EventPage, type EventsRequest, readEvents } from './read-events.ts';
import { recordCharge } from './record-charge.ts';
import type { BeginChange, ChangeIntent, OpenChange } from './run-change.ts';

/** The author of changes: in whose name they are made, under which request. */
export type Author = {
  readonly shopId: ShopId;
  readonly actor: EventActor;
  readonly requestId: string;
  /** When the state was read that the changes start from, or before, epoch milliseconds. */
  readonly readAtMs: number;
  /** The key under which the change is asked for; undefined: it has none. */
  readonly idempotentRequest?: ClaimedKey | undefined;
};

export type Timeline = {
  /** Begins changes of this author. */
  begin(author: Author): BeginChange;
  /** One page for each contract. GRAPHQL_VALIDATION_FAILED, QUERY_TOO_COMPLEX, TEMPORARILY_UNAVAILABLE. */
  readEvents(request: EventsRequest): Promise<readonly EventPage[]>;
  /** The entry of each name, undefined where there is none. TEMPORARILY_UNAVAILABLE. */
  findEvents(shopId: ShopId, numbers: readonly EventName[]): Promise<readonly (EventRecord | undefined)[]>;
  /** The claims on keys under which changes are repeated. */
  readonly idempotency: IdempotencyRecords;
};

/** An entry's name, as `parseEventGid` makes it of an id. Its contract has to be proved before the entry is shown. */
export type EventName = NonNullable<ReturnType<typeof parseEventNumber>>;

export type TimelineDeps = EndDeps & {
  readonly logger: Pick<Logger, 'error'>;
  /** A text unlike any other. */
  readonly newId: () => string;
};

/** The timeline over the table. */
export function createTimeline(deps: TimelineDeps): Timeline {
  return {
    begin: (author) => async (intent) => {
      const open = await writeIntent(deps.dueItems, toNewIntent(deps, author, intent));
      if (author.idempotentRequest !== undefined) await claimFor(deps, author.idempotentRequest, open);
      return toOpenChange(deps, open, author);
    },
    readEvents: (request) => readEvents(deps, request),
    async findEvents(shopId, names) {
      const keys = names.map(({ contract, number }) => eventKey({ shopId, contract, number }));
      const items = await deps.table.batchGet(keys);
      return items.map((item) => item && toEventRecord(item));
    },
    idempotency: createIdempotencyRecords(deps),
  };
}

function toNewIntent(
  { now, newId }: TimelineDeps,
  { idempotentRequest, ...author }: Author,
  intent: ChangeIntent,
) {
  const { action, contractId, details, changes, further } = intent;
  const contract = contractId === null ? undefined : contractNumberOf(contractId);
  if (contractId !== null && contract === undefined) {
    throw new ServiceError('INTERNAL_ERROR', { internal: 'an intent on what is no contract' });
  }
  const recordedFacts = { action, details, changes, ...(further && { further }) };
  const facts = { ...author, id: newId(), contract, ...recordedFacts, createdAtMs: now() };
  return idempotentRequest === undefined ? facts : { ...facts, repeat: idempotentRequest.place };
}

function toOpenChange(
  deps: TimelineDeps,
  open: OpenIntent,
  { idempotentRequest }: Pick<Author, 'idempotentRequest'>,
): OpenChange {
  let intent = open;
  /** The platform has responded: the client gets the response even if the entry cannot be written. */
  const quietly = async (settle: Promise<unknown>): Promise<void> => {
    await settle.catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : 'unknown';
      deps.logger.error('intent.left_open', { shopId: intent.shopId, number: intent.number, cause });
    });
  };
  return {
    recordAlso: async (facts) => {
      intent = await addFurther(deps.dueItems, intent, facts);
    },
    done: (changes = intent.changes, contractId) => {
      const contract = contractId === undefined ? undefined : contractNumberOf(contractId);
      return quietly(recordEntry(deps, intent, { changes, contract, contractId, isDirectlyObserved: true }));
    },
    seen: (changes = intent.changes) =>
      quietly(recordEntry(deps, intent, { changes, contract: undefined, isDirectlyObserved: false })),
    attempted: (attempt) => quietly(recordCharge(deps, intent, attempt)),
    notDone: () => quietly(dropIntent(deps, intent)),
    ...(idempotentRequest && {
      storeResponse: (storedResponse: Partial<StoredResponse>) =>
        storeForRetry(deps, intent, { idempotentRequest, storedResponse }),
    }),
  };
}

/** Of what the service answers itself only what is meant for repeats: never a secret. */
async function storeForRetry(
  { table }: TimelineDeps,
  intent: OpenIntent,
  {
    idempotentRequest,
    storedResponse,
  }: { readonly idempotentRequest: ClaimedKey; readonly storedResponse: Partial<StoredResponse> },
): Promise<void> {
  const { userErrors = [], locals = {}, ids = {} } = storedResponse;
  await storeResponse(table, intent, {
    userErrors,
    locals: storedFieldsOf(locals, idempotentRequest.storedFields),
    ids,
  });
}

type RecordedFacts = Pick<Settlement, 'changes' | 'contract' | 'isDirectlyObserved'> & {
  readonly contractId?: string | undefined;
};

/** Writes the entry of a change that was made. */
async function recordEntry(
  deps: TimelineDeps,
  intent: OpenIntent,
  recordedFacts: RecordedFacts,
): Promise<void> {
  const { changes, contractId, ...settlement } = recordedFacts;
  // The entry lies where the claim does not name it.
  if (contractId !== undefined && settlement.contract !== intent.contract) {
    await storeResponse(deps.table, intent, { ids: { contract: contractId } });
  }
  const ended = { ...intent, endedAtMs: deps.now() };
  const all = [...changes, ...(intent.further ?? [])];
  await settleAsEntry(deps, ended, { ...settlement, outcome: 'DONE', changes: all });
}
