/** The harness of the policy's rules, after graphql-js's own: a rule alone, or everything that a surface checks. */
import { expect } from '@jest/globals';
import { GraphQLError, parse, type ValidationRule, validate } from 'graphql';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { findIdempotencyKeyRefusal } from '../../../graphql/plan/mutation-record.ts';
import { checkDocument } from '../../../graphql/policy/check-document.ts';
import { parseDocument } from '../../../graphql/policy/parse-document.ts';
import { getSchema, type Surface } from '../../../graphql/schema/schema.ts';

export type Finding = { readonly message: string; readonly code: unknown };

const toFinding = ({ message, extensions }: GraphQLError): Finding => ({ message, code: extensions.code });

const refusalOf = (name: string) => findIdempotencyKeyRefusal(findMutation, name);

/** The errors of one rule, run alone. */
function errorsOf(rule: ValidationRule, surface: Surface, text: string): Finding[] {
  return validate(getSchema(surface), parse(text), [rule]).map(toFinding);
}

/** Expects the rule to report exactly these messages. */
export function expectErrors(rule: ValidationRule, surface: Surface, text: string) {
  return expect(errorsOf(rule, surface, text).map(({ message }) => message));
}

/** Expects the rule to report nothing. */
export function expectValid(rule: ValidationRule, surface: Surface, text: string): void {
  expect(errorsOf(rule, surface, text)).toEqual([]);
}

/** All that a surface finds, as a request would meet it: parsing, limits, names, meaning. */
export function checkText(surface: Surface, text: string): Finding[] {
  try {
    return checkDocument(surface, parseDocument(surface, text), refusalOf).map(toFinding);
  } catch (error) {
    if (error instanceof GraphQLError) return [toFinding(error)];
    throw error;
  }
}

/** The message for any name that is closed to customers. */
export const notAvailable = (name: string): Finding => ({
  message: `Field "${name}" is not available to customer accounts`,
  code: 'FIELD_NOT_AVAILABLE',
});
