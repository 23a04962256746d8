/**
 * A mirror of the subscriptions that is built from the events of one endpoint alone, by the rules of docs/webhooks.md: take nothing
 * twice, apply `after`, and query the orders when an event says so. At the end it equals the platform, and no event's `before` was
 * anything else than the mirror's value.
 */
import { MUTE, textOf } from './expected-facts.ts';
import type { Made, Receipt } from './recorded-event.ts';

type Facts = Readonly<Record<string, string>>;
type Contract = {
  readonly contract: number;
  /** The receiver's first read of the API, and the platform's final state. */
  readonly start: Facts;
  readonly end: Facts;
};

/** Returns the faults of the events of an endpoint with only the types of status and lines: each field has one type. */
export function wronglyFiltered(receipts: readonly Receipt[], contracts: readonly Contract[]): string[] {
  const own = (facts: Facts) =>
    Object.fromEntries(Object.entries(facts).filter(([field]) => /^(?:status$|lines\.)/.test(field)));
  const others = receipts.flatMap(({ id, changes }) =>
    changes
      .filter(({ field }) => !/^(?:status$|currentPause\.|lines\.)/.test(field))
      .map(({ field }) => `filtered got ${field} in ${id}`),
  );
  const watched = contracts.map(({ contract, start, end }) => ({
    contract,
    start: own(start),
    end: own(end),
  }));
  return [...others, ...wronglyMirrored('filtered', receipts, watched)];
}

/** Returns the faults of the events of an endpoint with all types. */
export function wronglyMirrored(
  name: string,
  receipts: readonly Receipt[],
  contracts: readonly Contract[],
): string[] {
  const first = receipts.filter(({ id }, index) => receipts.findIndex((one) => one.id === id) === index);
  return contracts.flatMap(({ contract, start, end }) => {
    const own = first.filter((one) => one.contract?.endsWith(`/${contract}`));
    const { mirror, wrong } = mirrored(start, own);
    const fields = new Set([...Object.keys(mirror), ...Object.keys(end)]);
    const differing = [...fields]
      .filter((field) => isCompared(field, end) && mirror[field] !== end[field])
      .map(
        (field) =>
          `${name}: the mirror of ${contract} has ${field} ${mirror[field]}, the platform ${end[field]}`,
      );
    return [...wrong.map((one) => `${name}: ${contract} ${one}`), ...differing];
  });
}

/** The end of a pause is not the platform's; of orders those count that are watched and not paid. */
function isCompared(field: string, end: Facts): boolean {
  if (field.startsWith('billingCycles.') && end[field] === undefined) return false;
  return !MUTE.has(field) && !/^currentPause\.|\.editedContract$/.test(field);
}

function mirrored(start: Facts, events: readonly Receipt[]) {
  let mirror: Record<string, string> = { ...start };
  /** Facts of orders that were queried after what the next events report. */
  let queried = new Set<string>();
  const wrong: string[] = [];
  for (const event of events) {
    for (const { field, before, after } of event.changes) {
      if (MUTE.has(field)) continue;
      const [was, found, is] = [mirror[field] ?? null, textOf(before), textOf(after)];
      // The state of an order is unknown until the mirror queries it.
      const isUnknown = field.startsWith('billingCycles.') && (was === null || queried.delete(field));
      if (was !== found && !isUnknown) {
        wrong.push(`${event.type} ${event.id} says that ${field} was ${found}, the mirror has ${was}`);
      }
      if (is === null) delete mirror[field];
      else mirror[field] = is;
    }
    if (event.orders !== undefined) {
      const others = Object.entries(mirror).filter(([field]) => !field.startsWith('billingCycles.'));
      mirror = { ...Object.fromEntries(others), ...event.orders };
      queried = new Set(Object.keys(event.orders));
    }
  }
  return { mirror, wrong };
}

/** Returns the events without an actor whose change was made by the service. */
export function wronglyExternal(receipts: readonly Receipt[], history: readonly Made[]): string[] {
  const external = receipts.filter(
    ({ actor, outcome, type }) =>
      actor === 'UNKNOWN' && outcome === 'DONE' && type !== 'subscription.created',
  );
  const made = new Set(
    history
      .filter(({ actor }) => actor === undefined)
      .map(({ contract, field, after }) => `${contract} ${field} ${after}`),
  );
  const watched = new Set(history.map(({ contract, field }) => `${contract} ${field}`));
  return [...new Map(external.map((one) => [one.id, one])).values()].flatMap(({ id, contract, changes }) =>
    changes.flatMap(({ field, after }) => {
      const name = `${contract?.split('/').at(-1)} ${field}`;
      if (MUTE.has(field) || !watched.has(name) || made.has(`${name} ${textOf(after) ?? ''}`)) return [];
      return [`${id} reports ${name} ${textOf(after)} as external, which only the service has made`];
    }),
  );
}
