/** Finds the timeline entries of `node`, `nodes` and `event` after the ownership checks of their contracts. */
import type { EventNumberParts, EventRecord } from '../../lib/timeline/event-record.ts';
import { buildEventFields, type TranslatedRecord } from '../fields/build-event-fields.ts';
import type { FirstResponse, RunningRoot } from '../plan/root-handler.ts';
import type { RootRefusal } from '../plan/root-response.ts';
import type { RunContext } from '../plan/run-context.ts';
import { createPartSource } from '../response/project-service-value.ts';
import { type IdsEvaluation, listContractIdsOfEvents } from './evaluate-ids.ts';

/** The objects of a root's ids, by positions in the client's list. */
export type NodesByPosition = {
  readonly ids: IdsEvaluation;
  /** The positions whose object the client does not get, each with the reason. */
  readonly refusalByPosition: ReadonlyMap<number, RootRefusal>;
  /** The objects that the service returns itself, mainly timeline entries. */
  readonly nodesByPosition: ReadonlyMap<number, ServiceNode>;
};

/** An object that the platform does not have, by field names. */
export type ServiceNode = { readonly typeName: string; readonly value: Readonly<Record<string, unknown>> };

/** The type of a timeline's entries. */
export const TIMELINE_EVENT_TYPE = 'SubscriptionEvent';

/** The upstream root with the platform's objects inside entries: its response key, and its variables. */
export type EventPlatformParts = {
  readonly key: string;
  readonly idsVariable: string;
  readonly runVariable: string;
};

type WithEvents = { readonly eventParts: EventPlatformParts | undefined };

/**
 * Adds the entries to the known objects of the roots. While a customer is acting, a missing entry is refused like
 * another customer's.
 */
export async function findEventNodes(
  context: RunContext,
  roots: readonly RunningRoot<WithEvents>[],
  firstResponse: FirstResponse,
): Promise<readonly NodesByPosition[]> {
  const eventNumbers = roots.flatMap(({ outcome }) => {
    const { ids, refusalByPosition: refused } = nodesOfRootOutcome(outcome);
    const visibleIds = [...ids.events].filter(([position]) => !refused.has(position));
    return visibleIds.flatMap(([, numberParts]) => numberParts ?? []);
  });
  const recordByNumber = await readEventsByNumber(context, eventNumbers);
  const actsForCustomer = context.identity.actingCustomerId !== undefined;
  const translate = recordByNumber.size === 0 ? undefined : await context.loadTranslator();
  return roots.map((one) => {
    const { ids, refusalByPosition: refusedByPosition } = nodesOfRootOutcome(one.outcome);
    const refusalByPosition = new Map(refusedByPosition);
    const nodesByPosition = new Map<number, ServiceNode>();
    for (const [position, numberParts] of ids.events) {
      const eventRecord = refusalByPosition.has(position)
        ? undefined
        : recordByNumber.get(numberParts?.number ?? '');
      if (eventRecord !== undefined && translate !== undefined)
        nodesByPosition.set(position, {
          typeName: TIMELINE_EVENT_TYPE,
          value: buildEventNode(
            context,
            { record: eventRecord, translate },
            { root: one, ids, firstResponse },
          ),
        });
      else if (actsForCustomer) refusalByPosition.set(position, 'forbidden');
    }
    return { ids, refusalByPosition, nodesByPosition };
  });
}

/** Returns the known objects of a root whose ids were evaluated. */
function nodesOfRootOutcome(outcome: RunningRoot['outcome']): NodesByPosition {
  if (outcome?.kind !== 'found') throw new Error('the ids of the root were not evaluated');
  return outcome.found as NodesByPosition;
}

type EventNodePlace = {
  readonly root: RunningRoot<WithEvents>;
  readonly ids: IdsEvaluation;
  readonly firstResponse: FirstResponse;
};

/** Returns the entry, with the places of its platform objects in the first response. */
function buildEventNode(
  context: RunContext,
  recordWithText: TranslatedRecord,
  { root, ids, firstResponse }: EventNodePlace,
) {
  const { eventParts } = root.root.special;
  const index = listContractIdsOfEvents(ids, context.identity).findIndex((id) =>
    id.endsWith(`/${recordWithText.record.contract}`),
  );
  const nodesValue =
    eventParts === undefined ? undefined : firstResponse.platformResponse?.data?.[eventParts.key];
  const platformNode = Array.isArray(nodesValue) ? (nodesValue[index] ?? {}) : {};
  return buildEventFields(
    context,
    recordWithText,
    createPartSource(platformNode, [eventParts?.key ?? '', index]),
  );
}

/** Reads the entries by their numbers, each once. */
async function readEventsByNumber(
  { timeline, store }: RunContext,
  numbers: readonly EventNumberParts[],
): Promise<ReadonlyMap<string, EventRecord>> {
  const visibleRecords = (await timeline.findEvents(store.shopId, numbers)).filter(
    (record) => record !== undefined,
  );
  return new Map(visibleRecords.map((record) => [record.number, record]));
}
