/**
 * The customers' function is bundled with the customers' table of the schema in place of the whole one: a lookup for a
 * customer's document finds the same in both.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The handler that answers customers alone. */
const HANDLER = join('functions', 'customer-graphql', 'handler.ts');
const WHOLE = /\/generated\/schema-table\.ts$/;
const CUSTOMERS = '/generated/customer-table.ts';

/** The plugin; for another handler it does nothing. `entry`: the handler's file. */
export function customerTable(entry: string): Plugin {
  return {
    name: 'customer-table',
    setup(build) {
      if (!entry.endsWith(HANDLER)) return;
      build.onResolve({ filter: WHOLE }, ({ path, importer, resolveDir, kind }) =>
        build.resolve(path.replace(WHOLE, CUSTOMERS), { importer, resolveDir, kind }),
      );
    },
  };
}
