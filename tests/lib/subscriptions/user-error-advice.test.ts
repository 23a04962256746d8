/** The advice of user errors, compared with the schema: an app decides by it about codes that it does not know. */
import { describe, expect, test } from '@jest/globals';
import { getNamedType, isEnumType, isObjectType } from 'graphql';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import { errorCatalogue } from '../../../lib/errors/catalogue.ts';
import { adviceOfUserError, userErrorAdvice } from '../../../lib/subscriptions/user-error-advice.ts';

/** The codes of all user errors that have the field `advice`. */
const codes = Object.values(getAdminSchema().getTypeMap()).flatMap((type) => {
  const fields = isObjectType(type) ? type.getFields() : {};
  const code = fields.advice && fields.code && getNamedType(fields.code.type);
  return isEnumType(code) ? code.getValues().map(({ name }) => name) : [];
});

describe('the advice of a user error', () => {
  test('covers exactly the codes of the schema', () => {
    const used = new Set([...codes, ...PLATFORM_CODES_OF_CHARGES]);
    expect([...used].filter((code) => !Object.hasOwn(userErrorAdvice, code))).toEqual([]);
    expect(Object.keys(userErrorAdvice).filter((code) => !used.has(code))).toEqual([]);
  });

  test('is a value of the schema’s enum', () => {
    const advice = getAdminSchema().getType('ErrorAdvice');
    const values = isEnumType(advice) ? advice.getValues().map(({ name }) => name) : [];
    const used = [
      ...Object.values(userErrorAdvice),
      ...Object.values(errorCatalogue).map((one) => one.advice),
    ];
    expect([...new Set(used)].sort()).toEqual([...values].sort());
  });

  test.each([undefined, null, 'NEW_CODE', 'toString'])('is CONTACT_SUPPORT for the code %j', (code) => {
    expect(adviceOfUserError(code)).toBe('CONTACT_SUPPORT');
  });

  test('is RETRY for an e-mail that was sent recently, whose message says when to try again', () => {
    expect(adviceOfUserError('EMAIL_SENT_RECENTLY')).toBe('RETRY');
  });

  test('is RETRY in the catalogue for each code whose request can be repeated, except after a fault', () => {
    const retried = Object.entries(errorCatalogue).filter(([, { retryable }]) => retryable);
    expect(retried.filter(([, { advice }]) => advice !== 'RETRY').map(([code]) => code)).toEqual([
      'INTERNAL_ERROR',
    ]);
  });
});

/** Codes of `subscriptionBillingCycleCharge`, whose user errors are the platform's type and have no advice. */
const PLATFORM_CODES_OF_CHARGES = [
  'BILLING_CYCLE_SKIPPED',
  'BLANK',
  'CONTRACT_NOT_FOUND',
  'CONTRACT_PAUSED',
  'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
];
