import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OverlappingFieldsCanBeMergedRule, parse, validate } from 'graphql';
import { mergeableFieldsRule } from '../../../../graphql/policy/meaning/mergeable-fields.ts';
import { getAdminSchema } from '../../../../graphql/schema/schema.ts';
import { expectErrors, expectValid } from '../harness.ts';

const conflict = (name: string, reason: string): string =>
  `Fields "${name}" conflict because ${reason}. Use different aliases on the fields.`;

describe('fields of one response name', () => {
  test('must be the same field', () => {
    expectErrors(mergeableFieldsRule, 'admin', '{ shop { a: name a: email } }').toEqual([
      conflict('a', 'they are different fields'),
    ]);
  });

  test('must have the same arguments, in any order', () => {
    const two = (one: string, other: string) =>
      `{ orders(${one}) { nodes { id } } orders(${other}) { nodes { name } } }`;
    expectErrors(mergeableFieldsRule, 'admin', two('first: 1', 'first: 2')).toEqual([
      conflict('orders', 'their arguments differ'),
    ]);
    expectErrors(mergeableFieldsRule, 'admin', two('first: 1', 'first: 1, reverse: true')).toHaveLength(1);
    expectValid(mergeableFieldsRule, 'admin', two('first: 1, reverse: true', 'reverse: true, first: 1'));
  });

  test('reports conflicts below merged fields, through fragments', () => {
    const document = '{ shop { ...A } ... { shop { a: email } } } fragment A on Shop { a: name }';
    expectErrors(mergeableFieldsRule, 'admin', document).toEqual([
      conflict('a', 'they are different fields'),
    ]);
  });

  test('may differ on types that no object has both of', () => {
    expectValid(
      mergeableFieldsRule,
      'admin',
      '{ node(id: "1") { ... on Customer { a: firstName } ... on Order { a: email } } }',
    );
  });

  test('reports different shapes on types that no object has both of', () => {
    const document = '{ node(id: "1") { ... on Customer { a: displayName } ... on Order { a: email } } }';
    expectErrors(mergeableFieldsRule, 'admin', document).toEqual([
      conflict('a', 'they return types that differ'),
    ]);
    const below = `{ node(id: "1") { ... on Customer { a: defaultAddress { b: city } } ... on Order { a: customer { b: tags } } } }`;
    expectErrors(mergeableFieldsRule, 'admin', below).toEqual([
      conflict('b', 'they return types that differ'),
    ]);
  });

  test('must agree with those of an interface', () => {
    const document = '{ node(id: "1") { a: id ... on Customer { a: legacyResourceId } } }';
    expectErrors(mergeableFieldsRule, 'admin', document).toHaveLength(1);
  });
});

describe('against graphql-js’s own rule', () => {
  const field = fc.constantFrom(
    'id',
    'a: id',
    'b: id',
    'a: displayName',
    'a: email',
    'b: email',
    'email',
    'a: note',
    'a: tags',
    'events(first: 1) { nodes { id } }',
    'events(first: 2) { nodes { id } }',
    'a: events(first: 1) { nodes { b: id } }',
    'a: events(first: 1) { nodes { b: message } }',
  );
  const typed = fc
    .tuple(
      fc.constantFrom('Customer', 'Order', 'HasEvents', 'Node'),
      fc.array(field, { minLength: 1, maxLength: 4 }),
    )
    .map(([type, fields]) => `... on ${type} { ${fields.join(' ')} }`);
  const documents = fc
    .array(typed, { minLength: 1, maxLength: 5 })
    .map((parts) => `{ node(id: "1") { ${parts.join(' ')} } }`);

  test('both find the same documents in order', () => {
    const schema = getAdminSchema();
    fc.assert(
      fc.property(documents, (text) => {
        const document = parse(text);
        const isReferenceAccepted =
          validate(schema, document, [OverlappingFieldsCanBeMergedRule]).length === 0;
        const isAccepted = validate(schema, document, [mergeableFieldsRule]).length === 0;
        expect(isAccepted).toBe(isReferenceAccepted);
      }),
      { numRuns: 1000 },
    );
  });
});
