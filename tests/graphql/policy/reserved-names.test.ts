import { describe, expect, test } from '@jest/globals';
import { reservedNamesRule } from '../../../graphql/policy/name-rules.ts';
import { checkText, expectErrors, expectValid } from './harness.ts';

describe('what the plan adds cannot be named by a client', () => {
  test.each([
    ['alias', '{ _svcOwned: __typename }', '_svcOwned'],
    ['alias', '{ customer(id: "1") { ... { __proto__: id } } }', '__proto__'],
    ['variable', 'query($_svcRun1: Boolean) { __typename }', '_svcRun1'],
    ['fragment name', 'fragment _svcF on QueryRoot { __typename }', '_svcF'],
    ['operation name', 'query _svc { __typename }', '_svc'],
  ])('%s', (kind, document, name) => {
    expectErrors(reservedNamesRule, 'admin', document).toEqual([
      `The ${kind} "${name}" is reserved: choose another name.`,
    ]);
  });

  test('other names are free', () => {
    expectValid(reservedNamesRule, 'admin', 'query svc($svc: Boolean) { svc_: __typename _s: __typename }');
  });

  test('it is a validation error on both endpoints', () => {
    for (const surface of ['customer', 'admin'] as const) {
      expect(checkText(surface, '{ _svcX: __typename }')[0]?.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });
});
