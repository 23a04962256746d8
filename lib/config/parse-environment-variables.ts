/** Checks all environment variables together, so that one error lists all mistakes. */
import type * as z from 'zod/mini';

/**
 * Returns the values as the schema defines them.
 * @throws Error that names each invalid variable and its required form, but never contains a value
 */
export function parseEnvironmentVariables<Schema extends z.ZodMiniType>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parseResult = schema.safeParse(variables);
  if (parseResult.success) return parseResult.data as z.output<Schema>;
  const issueTexts = parseResult.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable. ${issueTexts.join('; ')}.`);
}
