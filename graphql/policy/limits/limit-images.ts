/** Bounds of images' transformations that stand in the document; check-variables.ts has those of variables. */
import type { ValidationRule } from 'graphql';
import { imageBoundsError, isImageArgument } from './image-bounds.ts';

/** Refuses literals outside the bounds. */
export const limitImages: ValidationRule = (context) => ({
  Argument(node) {
    const error = isImageArgument(node) ? imageBoundsError(node, {}) : undefined;
    if (error) context.reportError(error);
  },
});
