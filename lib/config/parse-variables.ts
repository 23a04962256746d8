/** Checks all variables of the environment together, so that one message lists all errors. */
import type * as z from 'zod/mini';

/**
 * Returns the values of the schema.
 * @throws Error with the name of each invalid variable and what it must be, never with a value
 */
export function parseVariables<Schema extends z.ZodMiniType>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data as z.output<Schema>;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable. ${problems.join('; ')}.`);
}
