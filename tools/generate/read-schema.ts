/** Reads the schema from which all files are generated: the platform's SDL, and the service's SDL on top of it. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildASTSchema, concatAST, type GraphQLSchema, parse, Source, validateSchema } from 'graphql';
import { mergeSchema } from './merge-schema.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');
const PLATFORM_SCHEMA_FILE = 'graphql/schema/platform/admin-2026-07.graphql';

/**
 * Returns the whole schema with its policy directives.
 * @throws Error that names what is wrong with the SDL.
 */
export function readSchema(): GraphQLSchema {
  const files = globSync('graphql/schema/sdl/**/*.graphql', { cwd: PROJECT_ROOT }).sort((a, b) =>
    basename(a) < basename(b) ? -1 : 1,
  );
  const service = concatAST(files.map(parseFile));
  const schema = buildASTSchema(mergeSchema(parseFile(PLATFORM_SCHEMA_FILE), service));
  const [error] = validateSchema(schema);
  if (error) throw new Error(`The SDL in graphql/schema is not valid: ${error.message}`);
  return schema;
}

const parseFile = (file: string) => parse(new Source(readFileSync(join(PROJECT_ROOT, file), 'utf8'), file));
