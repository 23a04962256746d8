/**
 * Fields open to customers. The schema at hand is the customers' part, so a closed field is not in it: closed and
 * unknown get the same words. Meta fields are no-introspection.ts's.
 */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses fields that the customers' schema does not have where they stand. */
export const availableFields: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') || !context.getParentType() || context.getFieldDef()) return;
    context.reportError(notAvailable(name, node));
  },
});
