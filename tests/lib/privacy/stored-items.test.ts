/**
 * The stored form of every item that a store and a customer leave in the table, as tests/fixtures/items.json has it.
 * A difference is a change of stored data: code of the last release must still read it, and the other way round.
 * Clock, ids and random bytes are fixed. Sealed boxes are masked, because the sealed tokens have fresh signatures.
 *
 * `UPDATE=1 npm test -- tests/lib/privacy/stored-items` writes the file.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ITEM_FAMILIES } from '../../../infra/definition/rights.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { createErasureWorld, type ErasureWorld, everything } from './erasure-world.ts';
import { liveToTheFull, person, type Texts } from './full-history.ts';
import { useStore } from './store-history.ts';

const FILE = new URL('../../fixtures/items.json', import.meta.url);
const [ZOE] = fc.sample(person, { seed: 3, numRuns: 1 }) as [Texts];
/** The attributes with sealed boxes. */
const SEALED = new Set(['linkTokens', 'grant', 'box']);

type Stored = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

let world: ErasureWorld;

beforeEach(async () => {
  let ids = 0;
  let draws = 0;
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-07-01T09:00:00Z'));
  jest.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    return `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  });
  world = await createErasureWorld((bytes) =>
    createHash('shake256', { outputLength: bytes }).update(String(++draws)).digest(),
  );
});

afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

test('stores each item in the form of tests/fixtures/items.json', async () => {
  await liveToTheFull(world, ZOE);
  await useStore(world);
  const items = await everything(world);
  const missing = Object.keys(ITEM_FAMILIES).filter(
    (family) => !items.some(({ pk }) => pk.startsWith(`${family}#`)),
  );
  const advice = 'add a change of this kind to full-history.ts, at the end, or to store-history.ts';
  expect(missing.map((family) => `${family}: ${advice}`)).toEqual([]);
  const text = toText(items).replaceAll(world.signIns.platform.origin, 'https://platform.example');
  if (process.env.UPDATE !== undefined) writeFileSync(FILE, text);
  expect(differences(JSON.parse(readFileSync(FILE, 'utf8')), JSON.parse(text))).toEqual([]);
});

/** Returns an object of the items by their keys, with each attribute on a line of its own, in alphabetical order. */
function toText(items: readonly Item[]): string {
  const entries = items.map(({ pk, sk, ...attributes }) => {
    const lines = Object.entries(attributes).map(
      ([name, value]) => `    "${name}": ${maskedText({ [name]: value })}`,
    );
    return `  ${JSON.stringify(`${pk} ${sk}`)}: {\n${lines.sort().join(',\n')}\n  }`;
  });
  return `{\n${entries.sort().join(',\n')}\n}\n`;
}

/** Returns the JSON of the only member's value, with sorted members and masked boxes. */
function maskedText(member: object): string {
  const text = JSON.stringify(member, (name, value) => {
    if (SEALED.has(name) && typeof value === 'string') return '(sealed)';
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text.slice(text.indexOf(':') + 1, -1);
}

/** Lists the changed attributes, each with its item, and its value in the file and now. */
function differences(before: Stored, after: Stored): string[] {
  const keysOf = (one: object | undefined, other: object | undefined) =>
    [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].sort();
  return keysOf(before, after).flatMap((key) =>
    keysOf(before[key], after[key]).flatMap((name) => {
      const [was, is] = [before, after].map((items) => JSON.stringify(items[key]?.[name]));
      return was === is ? [] : [`${key}, ${name}: was ${was}, is ${is}`];
    }),
  );
}
