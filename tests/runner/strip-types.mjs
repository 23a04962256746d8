/**
 * TypeScript for jest as Node itself reads it: types become blanks, so lines and columns do not change, and errors have
 * the right position without a source map. `.graphql` files are text.
 */
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source, path) => ({
    code: path.endsWith('.graphql')
      ? `export default ${JSON.stringify(source)};`
      : stripTypeScriptTypes(source),
  }),
};
