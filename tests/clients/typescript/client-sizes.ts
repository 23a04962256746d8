/** Measures the size of the client as apps use it: minified, bundled, and compressed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleClient } from '../bundle-client.ts';

const ENTRY = join(import.meta.dirname, '../../../clients/typescript/src/client.ts');
/** The exports that no app has: an admin key never leaves its server. */
const OF_MERCHANTS = /export \{[^}]*\} from '\.\/(?:merchant-client|operations\/store-operations)\.ts';/g;

/** Exports that few apps import: without HTML, and with a date field. They have bounds of their own. */
const EXTRAS = /export \{[^}]*\} from '\.\/(?:messages\/message-parts|operations\/order-days)\.ts';/g;

/** KB of 1,024 bytes (docs/decisions/0233). */
const MAX_APP_BYTES = 11 * 1024;

const PLATFORMS = {
  Expo: 'createExpoStorage, createExpoBrowser',
  'React Native': 'createKeychainStorage, createInAppBrowser',
  Capacitor: 'createCapacitorStorage, createCapacitorBrowser',
  'a page in an app’s shell': 'createWebStorage, createRedirectBrowser',
  'a web page': 'createPageStorage, createRedirectBrowser',
};

/** The bundles of typical imports, and the maximum of each in bytes. */
const PARTS = [
  ...Object.entries(PLATFORMS).map(([name, adapters]) => ({
    name: `an app’s: ${name}`,
    entry: `export { createCustomerClient, isServiceError, ServiceError, ${adapters} } from './client.ts';`,
    maximum: MAX_APP_BYTES,
  })),
  {
    name: 'all apps’ at once: all but the merchants’ client, the messages as text, and the days of a date field',
    entry: readFileSync(ENTRY, 'utf8').replace(OF_MERCHANTS, '').replace(EXTRAS, ''),
    // The payments and unpaid orders of stores that the service bills take 150 bytes, most of which apps without them do not
    // contain.
    maximum: 12_460,
  },
  {
    name: 'the timeline’s messages as text',
    entry: "export { messageParts, plainText } from './client.ts';",
    maximum: 600,
  },
  {
    name: 'the days of a date field',
    entry: "export { daysOfMove, daysOfPostponement } from './client.ts';",
    maximum: 400,
  },
  {
    name: 'the merchants’ client',
    entry: "export { createMerchantClient } from './client.ts';",
    // The nine functions of billing take 700 bytes.
    maximum: 10_950,
  },
  {
    name: 'the customer’s session and requests, without operations',
    entry: "export { createCustomerCore } from './customer-core.ts';",
    maximum: 6_700,
  },
] as const;

export type ClientSize = { readonly name: string; readonly bytes: number; readonly maximum: number };

/** In bytes. */
export function clientSizes(): Promise<ClientSize[]> {
  return Promise.all(
    PARTS.map(async ({ name, entry, maximum }) => {
      return { name, maximum, bytes: await compressedSize(entry) };
    }),
  );
}

/** Returns the bytes of a module with all that it imports, minified and compressed. */
export async function compressedSize(entry: string): Promise<number> {
  return gzipSync(await bundleClient('esm', { entry, minify: true }), { level: 9 }).length;
}
