/** The fields that this service answers itself, each for all objects of an answer at once. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { projectServiceValue } from '../answer/project-service-value.ts';
import { toClientPath } from '../answer/to-client-path.ts';
import type { ServiceTask, Walk } from '../answer/walk-answer.ts';
import type { RunContext } from '../run/run-context.ts';
import { portalUrl } from './portal-url.ts';
import { resolveEvents } from './resolve-events.ts';
import { resolveNextOrders } from './resolve-next-orders.ts';
import { resolvePauses } from './resolve-pauses.ts';

/**
 * One value for each task, in their order: a scalar, an object by the names of its fields, or a ServiceError for a
 * field that has none. A task's `parent` is the platform's object, with the keys of ours that the plan asked for.
 */
export type ResolveServiceField = (
  context: RunContext,
  tasks: readonly ServiceTask[],
  /** `before`: how many tasks of this field the same answer has had already. */
  answer: { readonly before: number },
) => readonly unknown[] | Promise<readonly unknown[]>;

const serviceFields: Readonly<Record<string, ResolveServiceField>> = {
  closed: (_context, tasks) => tasks.map(() => new ServiceError('FORBIDDEN')),
  'Customer.portalUrl': ({ store }, tasks) => tasks.map(() => portalUrl(store)),
  'SubscriptionContract.currentPause': resolvePauses,
  'SubscriptionContract.events': resolveEvents,
  'SubscriptionContract.nextOrder': resolveNextOrders,
  'SubscriptionContract.portalUrl': ({ store }, tasks) =>
    tasks.map(({ parent }) => portalUrl(store, parent._svcContract)),
};

/** A local field that has no value. */
export type ServiceFailure = { readonly task: ServiceTask; readonly error: ServiceError };

/**
 * Fills in the local fields of an answer, one call a field for all its roots; returns those that have failed. The
 * platform's objects inside a value can hold local fields again.
 */
export async function resolveServiceFields(
  context: RunContext,
  walks: readonly Walk[],
): Promise<readonly ServiceFailure[]> {
  const failures: ServiceFailure[] = [];
  const done = new Map<string, number>();
  for (let tasks = takeTasks(walks); tasks.length > 0; tasks = takeTasks(walks)) {
    for (const [coordinate, group] of Map.groupBy(tasks, ({ local }) => local.coordinate)) {
      const resolve = resolverOf(coordinate);
      const before = done.get(coordinate) ?? 0;
      done.set(coordinate, before + group.length);
      const values = await resolve(context, group, { before });
      for (const [index, task] of group.entries()) {
        const value = values[index];
        if (value instanceof ServiceError) failures.push({ task, error: value });
        else task.target[task.key] = shownOf(task, value);
      }
    }
  }
  return failures;
}

function resolverOf(coordinate: string): ResolveServiceField {
  // `Job.query` leads back to the root, where the platform has no place for what is ours.
  if (coordinate.startsWith('QueryRoot.')) return (_context, tasks) => tasks.map(() => notHere(coordinate));
  const resolve = serviceFields[coordinate];
  if (resolve === undefined) throw new Error(`nobody answers ${coordinate}`);
  return resolve;
}

function notHere(coordinate: string): ServiceError {
  const message = `"${coordinate.replace('QueryRoot.', '')}" can stand at the root of a query only.`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/** What waits, but for what has been taken out of the answer meanwhile. */
function takeTasks(walks: readonly Walk[]): ServiceTask[] {
  return walks.flatMap(({ tasks, removals }) =>
    tasks.splice(0).filter(({ path }) => toClientPath(path, removals) !== undefined),
  );
}

function shownOf({ local, walk, path }: ServiceTask, value: unknown): unknown {
  const { selection } = local;
  if (value === null || value === undefined || selection === undefined) return value ?? null;
  return projectServiceValue(walk, value as Readonly<Record<string, unknown>>, { selection, path });
}
