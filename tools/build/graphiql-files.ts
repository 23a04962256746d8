/**
 * GraphiQL's script and style, copied into the folder of the function that serves its page. They are already built by
 * their package, and the function reads them when the page is requested.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundleFile } from './bundle.ts';

/** The function that serves the page. */
export const GRAPHIQL_FUNCTION = 'admin-graphql';

const SCRIPT_FILES = [
  'react/umd/react.production.min.js',
  'react-dom/umd/react-dom.production.min.js',
  'graphiql/graphiql.min.js',
] as const;
const STYLE_FILES = ['graphiql/graphiql.min.css'] as const;
const SOURCE_MAP_COMMENT_PATTERN = /\n?(\/\/|\/\*)# sourceMappingURL=.*$/gm;

/** Returns the files of `<function>/`, from the packages below `root`. */
export async function readGraphiqlFiles(root: string): Promise<BundleFile[]> {
  const readFiles = async (paths: readonly string[]) => {
    const texts = await Promise.all(paths.map((path) => readFile(join(root, 'node_modules', path), 'utf8')));
    return Buffer.from(texts.map((text) => text.replace(SOURCE_MAP_COMMENT_PATTERN, '')).join('\n'));
  };
  return [
    { path: `${GRAPHIQL_FUNCTION}/graphiql.js`, contents: await readFiles(SCRIPT_FILES) },
    { path: `${GRAPHIQL_FUNCTION}/graphiql.css`, contents: await readFiles(STYLE_FILES) },
  ];
}
