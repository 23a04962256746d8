/** The variables of the environment are checked as a whole, so that one message names all that is wrong. */
import type * as z from 'zod/mini';

/** The values of the schema. Throws an Error that names each bad variable and what it must be, never a value. */
export function parseVariables<Schema extends z.ZodMiniType>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data as z.output<Schema>;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable. ${problems.join('; ')}.`);
}
