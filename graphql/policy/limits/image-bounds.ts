/**
 * Checks the bounds of an image's transformation (platform document "Limits") before the platform is called. The
 * arguments are found once per document; their values may be variables, so they are read for each request.
 */
import { type ArgumentNode, type GraphQLError, valueFromASTUntyped } from 'graphql';
import { createInvalidDocumentError } from '../errors/document-errors.ts';
import { IMAGE_BOUNDS } from './limits.ts';
import type { Variables } from './page-size.ts';

/** Returns the bounded values of one argument with their names, including those inside an object. */
function* listBoundedValues(name: string, value: unknown): Generator<readonly [string, number]> {
  if (typeof value === 'number' && Object.hasOwn(IMAGE_BOUNDS, name)) yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* listBoundedValues(key, inner);
}

/**
 * Whether an argument can contain a bounded value: `transform` of Image.url, or an argument with the name of a bound.
 */
export function isImageArgument({ name }: ArgumentNode): boolean {
  return name.value === 'transform' || Object.hasOwn(IMAGE_BOUNDS, name.value);
}

/**
 * Returns the error of an argument whose value exceeds its bounds.
 * @returns undefined when it does not exceed them
 */
export function findImageBoundsError(argument: ArgumentNode, variables: Variables): GraphQLError | undefined {
  for (const [argumentName, argumentValue] of listBoundedValues(
    argument.name.value,
    valueFromASTUntyped(argument.value, variables),
  )) {
    const [minValue, maxValue] = IMAGE_BOUNDS[argumentName] ?? [argumentValue, argumentValue];
    if (argumentValue < minValue || argumentValue > maxValue) {
      return createInvalidDocumentError(
        `"${argumentName}" must be from ${minValue} to ${maxValue}, not ${argumentValue}.`,
        argument,
      );
    }
  }
  return undefined;
}
