/** The SDL of graphql/schema/sdl, put together and validated once: what everything generated is made from. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSchema, type GraphQLSchema, validateSchema } from 'graphql';

const FOLDER = join(import.meta.dirname, '../../../graphql/schema/sdl');

/** The whole schema with its policy directives. Throws an error that names what is wrong with the SDL. */
export function readSchema(): GraphQLSchema {
  const files = globSync('**/*.graphql', { cwd: FOLDER }).sort((a, b) =>
    basename(a) < basename(b) ? -1 : 1,
  );
  const sdl = files.map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const schema = buildSchema(sdl.join('\n'), { noLocation: true });
  const [error] = validateSchema(schema);
  if (error) throw new Error(`The SDL in graphql/schema/sdl is not valid: ${error.message}`);
  return schema;
}
