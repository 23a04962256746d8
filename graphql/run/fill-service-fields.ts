/** Fills in the service's fields of a response after the platform has answered. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type { ReadPauses, ResolveServiceField, RunContext, ServiceFields } from '../plan/run-context.ts';
import type { ResponseWalk, ServiceTask } from '../plan/walk.ts';
import type { FailedServiceField } from '../response/build-response.ts';
import { projectServiceValue } from '../response/project-service-value.ts';
import { toClientPath } from '../response/to-client-path.ts';

/**
 * Fills in the service's fields of a response, with one call of each resolver for all objects. The platform's objects
 * inside a field's value can have service fields, too, which are filled in by a further round of calls.
 * @returns the fields whose resolver returned an error
 */
export async function fillServiceFields(
  context: RunContext,
  walks: readonly ResponseWalk[],
): Promise<readonly FailedServiceField[]> {
  const failedFields: FailedServiceField[] = [];
  const resolvedCountByCoordinate = new Map<string, number>();
  const knownPauses: ReadPauses = new Map();
  for (
    let pendingTasks = takePendingTasks(walks);
    pendingTasks.length > 0;
    pendingTasks = takePendingTasks(walks)
  ) {
    for (const [fieldCoordinate, fieldTasks] of Map.groupBy(pendingTasks, ({ field }) => field.coordinate)) {
      const resolveField = findResolver(context.serviceFields, fieldCoordinate);
      const resolvedCountBefore = resolvedCountByCoordinate.get(fieldCoordinate) ?? 0;
      resolvedCountByCoordinate.set(fieldCoordinate, resolvedCountBefore + fieldTasks.length);
      const fieldValues = await resolveField(context, fieldTasks, {
        earlierTaskCount: resolvedCountBefore,
        pauses: knownPauses,
      });
      for (const [index, task] of fieldTasks.entries()) {
        const fieldValue = fieldValues[index];
        if (fieldValue instanceof ServiceError) failedFields.push({ task, error: fieldValue });
        else task.fill(buildFieldValue(task, fieldValue));
      }
    }
  }
  return failedFields;
}

function findResolver(fields: ServiceFields, coordinate: string): ResolveServiceField {
  // The service's root fields cannot be resolved below `Job.query`, which returns the query root again.
  if (coordinate.startsWith('QueryRoot.'))
    return (_context, tasks) => tasks.map(() => createMisplacedRootError(coordinate));
  const resolve = fields[coordinate];
  if (resolve === undefined) throw new Error(`no resolver for ${coordinate}`);
  return resolve;
}

function createMisplacedRootError(coordinate: string): ServiceError {
  const message = `"${coordinate.replace('QueryRoot.', '')}" can stand at the root of a query only.`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/** Takes the pending tasks, without those of objects that were removed from the response in the meantime. */
function takePendingTasks(walks: readonly ResponseWalk[]): ServiceTask[] {
  return walks.flatMap(({ tasks, removals }) =>
    tasks.splice(0).filter(({ path }) => toClientPath(path, removals) !== undefined),
  );
}

function buildFieldValue({ field, walk, path }: ServiceTask, value: unknown): unknown {
  const { selection } = field;
  if (value === null || value === undefined || selection === undefined) return value ?? null;
  const projectItem = (one: unknown, path: ResponsePath) =>
    projectServiceValue(walk, one as Readonly<Record<string, unknown>>, { selection, path });
  return Array.isArray(value)
    ? value.map((one, index) => projectItem(one, [...path, index]))
    : projectItem(value, path);
}
