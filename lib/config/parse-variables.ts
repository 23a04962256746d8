/** Variables of the environment, checked as a whole. */
import type * as z from 'zod/mini';

/** What the schema makes of them. Throws an Error that names each bad variable and what it must be, never a value. */
export function parseVariables<Schema extends z.ZodMiniType>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data as z.output<Schema>;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not usable. ${problems.join('; ')}.`);
}
