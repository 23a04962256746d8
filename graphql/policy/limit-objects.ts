/** Page sizes and objects as far as the document alone decides them; check-variables.ts has those of variables. */
import type { ValidationRule } from 'graphql';
import { compileObjectCount } from './count-objects.ts';
import { excessObjects } from './excess-objects.ts';
import { fragmentSets } from './fragment-sets.ts';
import type { Limits } from './limits.ts';
import { sizeWith } from './page-size.ts';

/** Refuses literal pages beyond the limit, and operations without paging variables that bring too many objects. */
export function limitObjects(limits: Limits): ValidationRule {
  return (context) => ({
    OperationDefinition(operation) {
      const count = compileObjectCount(context.getSchema(), fragmentSets(context.getDocument()), operation);
      const sizes = count.paged.flatMap((field) => field.sizes);
      const waits = sizes.some((size) => typeof size.value === 'object' && sizeWith(size, {}) === undefined);
      const applied = waits ? { ...limits, objects: undefined } : limits;
      for (const error of excessObjects(count, applied, {})) context.reportError(error);
    },
  });
}
