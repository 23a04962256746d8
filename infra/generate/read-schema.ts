/** The SDL of graphql/schema, put together and validated once: what everything generated is made from. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLSchema, validateSchema } from 'graphql';

const FOLDER = join(import.meta.dirname, '../../graphql/schema');

/** The whole schema with its policy directives. Throws an error that names what is wrong with the SDL. */
export function readSchema(): GraphQLSchema {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.graphql'));
  const sdl = files.sort().map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const schema = buildSchema(sdl.join('\n'), { noLocation: true });
  const [error] = validateSchema(schema);
  if (error) throw new Error(`The SDL in graphql/schema is not valid: ${error.message}`);
  return schema;
}
