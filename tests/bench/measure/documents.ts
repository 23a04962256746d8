/** What documents cost: the first compilation, memory after many, and those that are made to cost. */

import { composeGraphql } from '../../../functions/compose/compose-graphql.ts';
import type { PrepareDocument } from '../../../graphql/compile/prepare-document.ts';
import type { Surface } from '../../../graphql/schema/schema.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { AdminKeyId } from '../../../lib/domain/tokens/admin-key.ts';
import { QUERY } from '../fixtures.ts';
import { hostileDocuments } from './hostile-documents.ts';

/** A store's server: all of its documents are kept. */
const sender = { kind: 'store', shopId: 1 as ShopId, keyId: 'key' as AdminKeyId } as const;

let drawn = 0;
/** The benchmark's query under another name: a document that nobody has seen. */
const nextDocument = () => {
  drawn += 1;
  return QUERY.replace('Subscriptions', `Subscriptions${drawn}`);
};

/** All three, on documents of the size that apps send. */
export async function measure(isQuick: boolean): Promise<object> {
  const prepare = composeGraphql().prepareDocument;
  const documents = isQuick ? 200 : 10_000;
  const firstUs = cpuOf(() => compile(prepare, nextDocument()));
  compileMany(prepare, documents / 5);
  const heapBefore = heapMb();
  const compileUs = cpuOf(() => compileMany(prepare, documents)) / documents;
  const grownMb = heapMb() - heapBefore;
  return { firstUs, compileUs, grownMb, heapMb: heapMb(), hostile: slowestHostile() };
}

function compileMany(prepare: PrepareDocument, count: number): void {
  for (let index = 0; index < count; index++) compile(prepare, nextDocument());
}

function compile(prepare: PrepareDocument, query: string): void {
  const prepared = prepare({ surface: 'customer', isActing: true, query, operationName: undefined, sender });
  if (prepared.kind !== 'plan') throw new Error(JSON.stringify(prepared.errors));
}

/** No app sends this much. */
const LARGE = 200_000;

/** The refused one that takes longest, on either endpoint, and the longest of those that are valid after all. */
function slowestHostile() {
  const surfaces: readonly Surface[] = ['customer', 'admin'];
  const prepare = composeGraphql().prepareDocument;
  // The schema is built for the first document, whatever it is: that is part of the cold start.
  for (const surface of surfaces) {
    prepare({ surface, isActing: true, query: QUERY, operationName: undefined, sender });
    prepare({ surface, isActing: true, query: '{ unknown }', operationName: undefined, sender });
  }
  const measured = surfaces.flatMap((surface) =>
    Object.entries(hostileDocuments).map(([kind, query]) => {
      let isRefused = false;
      const us = cpuOf(() => {
        const isActing = surface === 'customer';
        isRefused =
          prepare({ surface, isActing, query, operationName: undefined, sender }).kind === 'refused';
      });
      return { surface, kind, ms: us / 1000, isRefused, isLarge: query.length > LARGE };
    }),
  );
  const bySlowness = measured.sort((one, other) => other.ms - one.ms);
  const slowest = bySlowness.find(({ isRefused }) => isRefused);
  const accepted = bySlowness.filter(({ isRefused }) => !isRefused);
  const largeAccepted = accepted.filter(({ isLarge }) => isLarge).length;
  const names = accepted.map(({ kind, surface }) => `${kind} (${surface})`);
  return { ...slowest, largeAccepted, acceptedMs: accepted[0]?.ms ?? 0, accepted: names };
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
