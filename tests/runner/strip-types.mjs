/**
 * TypeScript for jest as Node itself reads it: types become blanks, so each line and column stays where it is, and no
 * source map is needed to tell where an error was thrown. `.graphql` files are text.
 */
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source, path) => ({
    code: path.endsWith('.graphql')
      ? `export default ${JSON.stringify(source)};`
      : stripTypeScriptTypes(source),
  }),
};
