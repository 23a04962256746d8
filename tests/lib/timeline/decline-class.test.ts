/** The classes of the platform's decline codes, which the guide for merchants' servers lists, too. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { classifyDecline } from '../../../lib/timeline/decline-class.ts';
import { declineMessage } from '../../../lib/timeline/present/decline-message.ts';

const GUIDE = readFileSync('docs/merchant-servers.md', 'utf8');
/** The guide's classes; it does not distinguish stock from the merchant's other causes. */
const CLASS_IN_GUIDE = {
  RETRY_LATER: 'LATER',
  CONFIRM: 'CONFIRM',
  NEW_METHOD: 'NEW_CARD',
  STOCK: 'STORE',
  MERCHANT: 'STORE',
  NEVER: 'NEVER',
  PAID: 'PAID',
} as const;

const codesOfGuide = [...GUIDE.matchAll(/^\| \*\*([A-Z_]+)\*\* \|(.*)\|[^|]*\|$/gm)].flatMap(
  ([, name = '', codes = '']) =>
    (codes.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []).map((code) => [code, name] as const),
);

describe('the class of a decline code', () => {
  test('is the class in the guide for merchants’ servers', () => {
    expect(codesOfGuide.length).toBeGreaterThan(50);
    expect(codesOfGuide.map(([code]) => [code, CLASS_IN_GUIDE[classifyDecline(code)]])).toEqual(codesOfGuide);
  });

  test.each(['INSUFFICIENT_INVENTORY', 'INVENTORY_ALLOCATIONS_NOT_FOUND'])('is STOCK for %s', (code) => {
    expect(classifyDecline(code)).toBe('STOCK');
  });

  test.each(['CODE_OF_NEXT_YEAR', 'toString', null, undefined, 7])('is RETRY_LATER for %s', (code) => {
    expect(classifyDecline(code)).toBe('RETRY_LATER');
  });
});

test('does not ask the customer for another payment method when the store has lost the customer', async () => {
  const translate = await createTranslator('EN', UTC);
  const text = (code: string) => translate(declineMessage(code));
  expect(text('CUSTOMER_NOT_FOUND')).toBe(text('MERCHANT_RULE'));
  expect(text('CUSTOMER_NOT_FOUND')).not.toBe(text('RETRY_DECLINED'));
});
