/** Arguments of fields and directives must be open to customers. */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses arguments that the customers' schema does not have where they stand. */
export const availableArguments: ValidationRule = (context) => ({
  Argument(node) {
    const isOfKnown = context.getDirective() ?? context.getFieldDef();
    if (isOfKnown && !context.getArgument()) context.reportError(notAvailable(node.name.value, node));
  },
});
