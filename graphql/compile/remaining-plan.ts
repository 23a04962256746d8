/**
 * A request in which null stands where none may, since a nullable variable with a default was sent as null: what of it
 * does not fail is compiled by itself.
 */
import { schemaOf } from '../schema/schema.ts';
import { compile, selectOperation } from './compile.ts';
import type { CompileRequest } from './compile-roots.ts';
import type { Plan } from './plan.ts';
import { readClientDocument, type Variables } from './selection/client-document.ts';
import { withoutFailing } from './without-failing.ts';

/** The plan of what does not fail with these variables; undefined: nothing is left. */
export async function remainingPlan(
  { document: whole, operation, ...request }: Omit<CompileRequest, 'client'>,
  coerced: Variables,
): Promise<Plan | undefined> {
  const reduction = { schema: schemaOf(request.surface), document: whole, operation, variables: coerced };
  const document = withoutFailing(reduction);
  if (document === undefined) return undefined;
  const remaining = selectOperation(document, undefined);
  const client = readClientDocument(request.surface, document, remaining);
  return compile({ ...request, document, operation: remaining, client });
}
