/**
 * Image bounds are checked here where the document holds the value; check-variables.ts checks those that variables
 * bring.
 */
import type { ValidationRule } from 'graphql';
import { imageBoundsError, isImageArgument } from './image-bounds.ts';

/** Refuses literals outside the bounds. */
export const limitImages: ValidationRule = (context) => ({
  Argument(node) {
    const error = isImageArgument(node) ? imageBoundsError(node, {}) : undefined;
    if (error) context.reportError(error);
  },
});
