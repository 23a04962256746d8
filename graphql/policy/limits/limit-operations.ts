/** Operations of one document are limited: each is validated, though only one runs. */
import { Kind, type ValidationRule } from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import type { Limits } from './limits.ts';

/** Reports a document beyond the limit, once. */
export function limitOperations({ operations: max }: Limits): ValidationRule {
  return (context) => ({
    Document({ definitions }) {
      const actual = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
      if (actual > max) context.reportError(tooComplex({ limit: 'operations', max, actual }));
    },
  });
}
