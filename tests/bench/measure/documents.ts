/** Measures the cost of documents: the first compilation, memory after many, and expensive documents. */

import {
  createPreparedDocuments,
  type DocumentRequest,
  prepareDocument,
} from '../../../graphql/compile/prepare-document.ts';
import { COMPILE_REGISTRIES } from '../../../graphql/endpoint/registries.ts';
import type { Surface } from '../../../graphql/schema/schema.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { AdminKeyId } from '../../../lib/domain/tokens/admin-key.ts';
import { QUERY } from '../fixtures.ts';
import { hostileDocuments } from './hostile-documents.ts';
import { hostileVariables } from './hostile-variables.ts';

/** Prepares documents as one container does. */
function createPrepare() {
  const documents = createPreparedDocuments();
  return (request: DocumentRequest) => prepareDocument(documents, request, COMPILE_REGISTRIES);
}
type Prepare = ReturnType<typeof createPrepare>;

/** A store's server: the cache holds all of its documents. */
const sender = { kind: 'store', shopId: 1 as ShopId, keyId: 'key' as AdminKeyId } as const;

let drawn = 0;
/** Returns the benchmark's query under another name: a document that no cache contains. */
const nextDocument = () => {
  drawn += 1;
  return QUERY.replace('Subscriptions', `Subscriptions${drawn}`);
};

/** All three, on documents of the size that apps send. */
export async function measure(isQuick: boolean): Promise<object> {
  const prepare = createPrepare();
  const documents = isQuick ? 200 : 10_000;
  const firstUs = await cpuOf(() => compile(prepare, nextDocument()));
  await compileMany(prepare, documents / 5);
  const heapBefore = heapMb();
  const compileUs = (await cpuOf(() => compileMany(prepare, documents))) / documents;
  const grownMb = heapMb() - heapBefore;
  return { firstUs, compileUs, grownMb, heapMb: heapMb(), hostile: await slowestHostile() };
}

async function compileMany(prepare: Prepare, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await compile(prepare, nextDocument());
}

async function compile(prepare: Prepare, query: string): Promise<void> {
  const prepared = await prepare({
    surface: 'customer',
    isActing: true,
    query,
    operationName: undefined,
    sender,
  });
  if (prepared.kind !== 'plan') throw new Error(JSON.stringify(prepared.errors));
}

/** No app sends this much. */
const LARGE = 200_000;

type Measured = {
  readonly surface: Surface;
  readonly kind: string;
  readonly ms: number;
  readonly isRefused: boolean;
  readonly isLarge: boolean;
};

const hostile = [
  ...Object.entries(hostileDocuments).map(([kind, query]) => ({ kind, query, variables: {} })),
  ...Object.entries(hostileVariables).map(([kind, one]) => ({ kind, ...one })),
];

/** The refused one that takes longest, on either endpoint, and the longest of those that are valid after all. */
async function slowestHostile() {
  const surfaces: readonly Surface[] = ['customer', 'admin'];
  const prepare = createPrepare();
  // The first document builds the schema, which is part of the cold start.
  for (const surface of surfaces) {
    await prepare({ surface, isActing: true, query: QUERY, operationName: undefined, sender });
    await prepare({ surface, isActing: true, query: '{ unknown }', operationName: undefined, sender });
    // So is what the first change loads; of these it is the variables that are hostile.
    for (const { query } of Object.values(hostileVariables))
      await prepare({ surface, isActing: true, query, operationName: undefined, sender });
  }
  const measured: Measured[] = [];
  for (const surface of surfaces) {
    for (const { kind, query, variables } of hostile) {
      let isRefused = false;
      const us = await cpuOf(async () => {
        const isActing = surface === 'customer';
        const prepared = await prepare({ surface, isActing, query, operationName: undefined, sender });
        isRefused = prepared.kind === 'refused' || 'errors' in prepared.coerceVariables(variables);
      });
      const isLarge = query.length + JSON.stringify(variables).length > LARGE;
      measured.push({ surface, kind, ms: us / 1000, isRefused, isLarge });
    }
  }
  const bySlowness = measured.sort((one, other) => other.ms - one.ms);
  const slowest = bySlowness.find(({ isRefused }) => isRefused);
  const accepted = bySlowness.filter(({ isRefused }) => !isRefused);
  const largeAccepted = accepted.filter(({ isLarge }) => isLarge).length;
  const names = accepted.map(({ kind, surface }) => `${kind} (${surface})`);
  return { ...slowest, largeAccepted, acceptedMs: accepted[0]?.ms ?? 0, accepted: names };
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
