/** `event` of a payload: the timeline entry that the change itself has returned, without another read. */
import type { EventRecord } from '../../lib/timeline/event-record.ts';
import { EVENT_CONTRACT_KEY, PAYLOAD_EVENT_KEY } from '../compile/selection/field-treatment.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { createPartSource } from '../response/project-service-value.ts';
import { buildEventFields } from './build-event-fields.ts';

/** Returns the entry of each payload, or null for a change without one, which loads no translator. */
export async function resolvePayloadEvents(
  context: RunContext,
  tasks: readonly ServiceTask[],
): Promise<unknown[]> {
  const payloadEntries = tasks.map(({ parent }) => parent[PAYLOAD_EVENT_KEY] as EventRecord | undefined);
  if (payloadEntries.every((entry) => entry === undefined)) return payloadEntries.map(() => null);
  const translate = await context.loadTranslator();
  return tasks.map(({ parent, path }, index) => {
    const record = payloadEntries[index];
    if (record === undefined) return null;
    return buildEventFields(context, { record, translate }, createContractSource(parent, path.slice(0, -1)));
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the changed contract, which has the platform objects of the entry. In a payload of the platform it can be
 * below another object, or below the first one of a list.
 */
function createContractSource(parent: JsonObject, parentPath: ResponsePath) {
  let payloadObject = parent;
  let path = parentPath;
  while (payloadObject[EVENT_CONTRACT_KEY]) {
    const eventContract = payloadObject[EVENT_CONTRACT_KEY] as JsonObject | readonly JsonObject[];
    path = [...path, EVENT_CONTRACT_KEY, ...(Array.isArray(eventContract) ? [0] : [])];
    payloadObject = [eventContract].flat()[0] ?? {};
  }
  return createPartSource(payloadObject, path);
}
