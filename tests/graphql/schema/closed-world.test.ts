import { describe, expect, test } from '@jest/globals';
import { schemaTable } from '../../../graphql/schema/generated/schema-table.ts';
import { OWNED_TYPES } from '../../../graphql/schema/owned-types.ts';
import {
  type ArgumentEntry,
  type FieldEntry,
  POLICY_FLAGS,
} from '../../../graphql/schema/table/schema-table-format.ts';

type Entry = readonly [coordinate: string, entry: FieldEntry];

const FIELDS: readonly Entry[] = Object.entries(schemaTable).flatMap(([type, entry]) =>
  'fields' in entry
    ? Object.entries(entry.fields).map(([name, field]) => [`${type}.${name}`, field] as const)
    : [],
);
const INPUTS: readonly (readonly [string, ArgumentEntry])[] = [
  ...FIELDS.flatMap(([coordinate, [, , args]]) =>
    Object.entries(args || {}).map(([name, entry]) => [`${coordinate}(${name}:)`, entry] as const),
  ),
  ...Object.entries(schemaTable).flatMap(([type, entry]) =>
    'inputFields' in entry
      ? Object.entries(entry.inputFields).map(([name, field]) => [`${type}.${name}`, field] as const)
      : [],
  ),
];

const named = (reference: string): string => reference.replaceAll(/[[\]!]/g, '');
const isOwnedId = ([, , , , owner]: ArgumentEntry): boolean =>
  owner !== undefined && owner !== 0 && owner !== 'NOBODY';

function takesOwnedId(entry: ArgumentEntry): boolean {
  if (isOwnedId(entry)) return true;
  const type = schemaTable[named(entry[0])];
  return type?.kind === 'INPUT' && Object.values(type.inputFields).some(takesOwnedId);
}

describe('everything has a decision', () => {
  test('each root field is a catalogue, narrowed, owned by an argument, the acting customer’s by itself, or the store’s own', () => {
    const decisions = FIELDS.filter(([coordinate]) => /^(QueryRoot|Mutation)\./.test(coordinate)).map(
      ([coordinate, [, flags = 0, args, , narrowed]]) => {
        const isOwned = Object.values(args || {}).some(takesOwnedId);
        const flagged = [POLICY_FLAGS.catalogue, POLICY_FLAGS.storeOnly, POLICY_FLAGS.self].filter(
          (bit) => (flags & bit) !== 0,
        ).length;
        return [coordinate, flagged + (narrowed ? 1 : 0) || (isOwned ? 1 : 0)] as const;
      },
    );
    expect(decisions.length).toBeGreaterThan(110);
    expect(decisions.filter(([, count]) => count !== 1)).toEqual([]);
  });

  test('each id that a client sends says whose it is, and nothing else does', () => {
    const wrong = INPUTS.filter(([, [type, , , , owner]]) => (named(type) === 'ID') !== Boolean(owner));
    expect(INPUTS.filter(([, [type]]) => named(type) === 'ID').length).toBeGreaterThan(150);
    expect(wrong.map(([coordinate]) => coordinate)).toEqual([]);
  });

  test('ids name types of the schema, but for those that the subset leaves out', () => {
    const types = new Set(INPUTS.flatMap(([, [, , , , , names]]) => names || []));
    expect([...types].filter((name) => !(name in schemaTable)).sort()).toEqual([
      'CommentEvent',
      'DraftOrder',
      'SavedSearch',
    ]);
  });

  test('lines, discounts and addresses stand beside what they are looked up in', () => {
    const alone = FIELDS.filter(([, [, , args]]) => {
      const owners = Object.values(args || {}).map(([, , , , owner]) => owner);
      const needsNode = owners.includes('LINE') || owners.includes('DISCOUNT');
      return (
        (needsNode && !owners.includes('NODE')) ||
        (owners.includes('ADDRESS') && !owners.includes('CUSTOMER'))
      );
    });
    expect(alone).toEqual([]);
  });

  test('the three mutations that need a customer are marked', () => {
    const flagged = FIELDS.filter(([, [, flags = 0]]) => (flags & POLICY_FLAGS.actingCustomerRequired) !== 0);
    expect(flagged.map(([coordinate]) => coordinate)).toEqual([
      'Mutation.customerAddressUpdate',
      'Mutation.customerPaymentMethodSendUpdateEmail',
      'Mutation.customerPaymentMethodStartUpdate',
    ]);
  });
});

describe('no path leads from one person to another', () => {
  const owned = FIELDS.filter(([, [, flags = 0]]) => (flags & POLICY_FLAGS.owned) !== 0);
  const sameOwner = new Set(
    owned
      .filter(([, [, flags = 0]]) => (flags & POLICY_FLAGS.sameOwner) !== 0)
      .map(([coordinate]) => coordinate),
  );

  test('every owned type is a type', () => {
    expect([...OWNED_TYPES].filter((name) => !(name in schemaTable))).toEqual([]);
  });

  test.each([
    'Metafield.owner',
    'Metafield.reference',
    'Metafield.references',
    'MetafieldDefinition.metafields',
    'BasicEvent.subject',
  ])('%s can be anybody’s', (coordinate) => {
    expect(owned.map(([each]) => each)).toContain(coordinate);
    expect(sameOwner.has(coordinate)).toBe(false);
  });

  test('roots are never of the same owner: they have none', () => {
    expect([...sameOwner].filter((coordinate) => /^(QueryRoot|Mutation)\./.test(coordinate))).toEqual([]);
  });

  test('an interface’s field is of the same owner only if it is so on every type', () => {
    for (const [name, entry] of Object.entries(schemaTable)) {
      if (entry.kind !== 'OBJECT') continue;
      for (const parent of entry.interfaces ?? []) {
        for (const coordinate of sameOwner) {
          const [type, field = ''] = coordinate.split('.');
          if (type === parent) expect([...sameOwner]).toContain(`${name}.${field}`);
        }
      }
    }
  });

  test('what is not owned has no need of the mark', () => {
    const needless = FIELDS.filter(
      ([, [, flags = 0]]) => (flags & POLICY_FLAGS.sameOwner) !== 0 && (flags & POLICY_FLAGS.owned) === 0,
    );
    expect(needless.map(([coordinate]) => coordinate)).toEqual([]);
  });
});
