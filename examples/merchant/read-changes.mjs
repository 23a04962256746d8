/** Reads the subscriptions that were changed in a day, page after page, and goes on where it broke off. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { changedSince, createMerchantClient } from 'subscription-management-client';

const { SERVICE_URL: serviceUrl, ADMIN_KEY: adminKey, PLACE_FILE: placeFile = 'place.json' } = process.env;
const merchant = createMerchantClient({ serviceUrl, adminKey });

const yesterday = { query: changedSince(new Date(Date.now() - 86_400_000)) };
const place = await readFile(placeFile, 'utf8').then(JSON.parse, () => yesterday);
const counts = {};
for await (const { nodes, pageInfo } of merchant.subscriptions.pages(place)) {
  for (const { status } of nodes) counts[status] = (counts[status] ?? 0) + 1;
  await writeFile(placeFile, JSON.stringify({ ...place, after: pageInfo.endCursor }));
}
await rm(placeFile, { force: true });
console.log(JSON.stringify(counts));
