/** The fields that this service answers itself, each for all objects of an answer at once. */
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { LocalTask } from '../plan/walk-answer.ts';
import { portalUrl } from './portal-url.ts';

/** The platform's objects, with the keys of ours that the plan asked for. One value for each. */
type LocalField = (
  context: RunContext,
  parents: readonly Readonly<Record<string, unknown>>[],
) => readonly unknown[] | Promise<readonly unknown[]>;

const localFields: Readonly<Record<string, LocalField>> = {
  'Customer.portalUrl': ({ store }, parents) => parents.map(() => portalUrl(store)),
  'SubscriptionContract.portalUrl': ({ store }, parents) =>
    parents.map(({ _svcContract }) => portalUrl(store, _svcContract)),
};

/** A local field that has no value. */
export type LocalFailure = {
  readonly task: LocalTask;
  readonly code: ErrorCode;
};

/** Fills in the local fields of an answer, one call a field; returns those that have failed. */
export async function resolveLocalFields(
  context: RunContext,
  tasks: readonly LocalTask[],
): Promise<readonly LocalFailure[]> {
  const failures: LocalFailure[] = [];
  for (const [coordinate, group] of Map.groupBy(tasks, (task) => task.coordinate)) {
    const resolve = Object.hasOwn(localFields, coordinate) ? localFields[coordinate] : undefined;
    if (resolve === undefined) {
      const code = coordinate === 'closed' ? 'FORBIDDEN' : 'NOT_AVAILABLE_YET';
      failures.push(...group.map((task) => ({ task, code }) as const));
      continue;
    }
    const values = await resolve(
      context,
      group.map(({ parent }) => parent),
    );
    for (const [index, { target, key }] of group.entries()) target[key] = values[index] ?? null;
  }
  return failures;
}
