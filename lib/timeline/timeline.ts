/**
 * The timeline records the changes of contracts and their actors. A change has an intent before the platform request, and
 * then an entry, or nothing if it was not made. The scheduled work settles intents that stay open.
 */
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import { toFailureCause } from '../errors/to-failure-cause.ts';
import type { Logger } from '../observability/logger.ts';
import { storeResponse } from '../storage/claim-idempotency-key.ts';
import {
  type ClaimableIdempotencyKey,
  type StoredResponse,
  selectStoredFields,
} from '../storage/idempotency-record.ts';
import {
  contractNumberOfGid,
  type EventActor,
  type EventNumberParts,
  type EventRecord,
  eventItemKey,
  toEventRecord,
} from './event-record.ts';
import type { FactChange } from './facts.ts';
import {
  claimIdempotencyKeyForIntent,
  createIdempotencyRecordRepository,
  type IdempotencyRecords,
} from './idempotency-records.ts';
import {
  addFurtherFacts,
  type IntentSettlement,
  type OpenIntent,
  removeIntent,
  settleIntentAsEntry,
  type TimelineWriteDeps,
  writeIntent,
} from './intent.ts';
import { type EventPage, type EventsRequest, readEvents } from './read-events.ts';
import { recordCharge } from './record-charge.ts';
import type { BeginChange, ChangeIntent, OpenChange } from './run-change.ts';

/** What all changes of one request have in common: the store, the actor, the request, and when it read the state. */
export type ChangeOrigin = {
  readonly shopId: ShopId;
  readonly actor: EventActor;
  readonly requestId: string;
  /** When the state that the changes start from was read, or earlier; epoch milliseconds. */
  readonly readAtMs: number;
  /** The idempotency key of the request, if it has one. */
  readonly idempotentRequest?: ClaimableIdempotencyKey | undefined;
};

export type Timeline = {
  /** Returns the function that begins changes of this origin. */
  begin(origin: ChangeOrigin): BeginChange;
  /** Reads one page for each contract. See `readEvents`. */
  readEvents(request: EventsRequest): Promise<readonly EventPage[]>;
  /** Finds entries by number; undefined for a number without an entry. Throws TEMPORARILY_UNAVAILABLE. */
  findEvents(
    shopId: ShopId,
    numbers: readonly EventNumberParts[],
  ): Promise<readonly (EventRecord | undefined)[]>;
  readonly idempotency: IdempotencyRecords;
};

export type TimelineDeps = TimelineWriteDeps & {
  readonly logger: Pick<Logger, 'error'>;
  /** Returns a new unique id, for an intent. */
  readonly newId: () => string;
};

/** Creates the timeline over the table. */
export function createTimeline(deps: TimelineDeps): Timeline {
  return {
    begin: (origin) => async (intent) => {
      const openIntent = await writeIntent(deps.scheduledTasks, toNewIntent(deps, origin, intent));
      if (origin.idempotentRequest !== undefined)
        await claimIdempotencyKeyForIntent(deps, origin.idempotentRequest, openIntent);
      return toOpenChange(deps, openIntent, origin);
    },
    readEvents: (request) => readEvents(deps, request),
    async findEvents(shopId, numbers) {
      const keys = numbers.map(({ contract, number }) => eventItemKey({ shopId, contract, number }));
      const eventItems = await deps.table.batchGet(keys);
      return eventItems.map((item) => item && toEventRecord(item));
    },
    idempotency: createIdempotencyRecordRepository(deps),
  };
}

function toNewIntent(
  { now, newId }: TimelineDeps,
  { idempotentRequest, ...origin }: ChangeOrigin,
  intent: ChangeIntent,
) {
  const { action, contractId, details, changes, further } = intent;
  const contract = contractId === null ? undefined : contractNumberOfGid(contractId);
  if (contractId !== null && contract === undefined) {
    throw new ServiceError('INTERNAL_ERROR', { internal: 'the id of the intent is not a contract' });
  }
  const intentFields = { action, details, changes, ...(further && { further }) };
  const newIntent = { ...origin, id: newId(), contract, ...intentFields, createdAtMs: now() };
  return idempotentRequest === undefined ? newIntent : { ...newIntent, repeat: idempotentRequest.itemKey };
}

function toOpenChange(
  deps: TimelineDeps,
  openIntent: OpenIntent,
  { idempotentRequest }: Pick<ChangeOrigin, 'idempotentRequest'>,
): OpenChange {
  let intent = openIntent;
  // The platform has responded, so the client gets its response even if the entry cannot be written.
  const logFailure = <Settled>(settle: Promise<Settled>): Promise<Settled | undefined> =>
    settle.catch((error: unknown) => {
      const cause = toFailureCause(error);
      deps.logger.error('intent.left_open', { shopId: intent.shopId, number: intent.number, cause });
      return undefined;
    });
  const recordEntry = (changes: readonly FactChange[], isDirectlyObserved: boolean, contractId?: string) =>
    logFailure(settleIntentAsDone(deps, intent, { changes, isDirectlyObserved, contractId }));
  return {
    recordAlso: async (facts) => {
      intent = await addFurtherFacts(deps.scheduledTasks, intent, facts);
    },
    settleAsDone: (changes = intent.changes, contractId) => recordEntry(changes, true, contractId),
    settleAsObserved: (changes = intent.changes) => recordEntry(changes, false),
    settleWithAttempt: (attempt) => logFailure(recordCharge(deps, intent, attempt)),
    settleAsNotDone: () => logFailure(removeIntent(deps, intent)),
    ...(idempotentRequest && {
      async storeResponse({ userErrors = [], locals = {}, ids = {} }: Partial<StoredResponse>) {
        // Only fields that are meant for retries, never a secret.
        const storedLocals = selectStoredFields(locals, idempotentRequest.storedFieldNames);
        await storeResponse(deps.table, intent, { userErrors, locals: storedLocals, ids });
      },
    }),
  };
}

type ConfirmedChange = Pick<IntentSettlement, 'changes' | 'isDirectlyObserved'> & {
  readonly contractId: string | undefined;
};

/** Writes the entry of a change that was made. `contractId`: the contract that the change created, if it created one. */
async function settleIntentAsDone(
  deps: TimelineDeps,
  intent: OpenIntent,
  confirmedChange: ConfirmedChange,
): Promise<EventRecord> {
  const { contractId, isDirectlyObserved } = confirmedChange;
  const contract = contractId === undefined ? undefined : contractNumberOfGid(contractId);
  // The entry is in the timeline of the created contract, which the idempotency record has to name for a retry.
  if (contractId !== undefined && contract !== intent.contract) {
    await storeResponse(deps.table, intent, { ids: { contract: contractId } });
  }
  const endedIntent = { ...intent, endedAtMs: deps.now() };
  const changes = [...confirmedChange.changes, ...(intent.further ?? [])];
  return settleIntentAsEntry(deps, endedIntent, { outcome: 'DONE', changes, contract, isDirectlyObserved });
}
