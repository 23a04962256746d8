/**
 * Page sizes and objects are checked here as far as the document alone decides them; check-variables.ts checks them
 * with variables.
 */
import { Kind, type OperationDefinitionNode, type ValidationContext, type ValidationRule } from 'graphql';
import { compileObjectCount, waitsForVariables } from './count-objects.ts';
import { fragmentSets } from './fragment-sets.ts';
import type { Limits } from './limits.ts';
import { listErrors } from './list-errors.ts';

function check(context: ValidationContext, limits: Limits, operation: OperationDefinitionNode): void {
  const count = compileObjectCount(context.getSchema(), fragmentSets(context.getDocument()), operation);
  const applied = waitsForVariables(count) ? { ...limits, objects: undefined } : limits;
  for (const error of listErrors(count, applied, {})) context.reportError(error);
}

/** Refuses literal pages that are wrong or too large, and operations without paging variables that bring too many objects. */
export function limitObjects(limits: Limits): ValidationRule {
  return (context) => ({
    Document({ definitions }) {
      for (const definition of definitions) {
        if (definition.kind === Kind.OPERATION_DEFINITION) check(context, limits, definition);
      }
    },
  });
}
