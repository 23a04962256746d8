/** Items of every shape that DynamoDB holds; keys are left out. */
import * as fc from 'fast-check';
import { anyText } from '../../any-text.ts';

/** DynamoDB's numbers are of 38 digits, and not nearer to zero than 1e-130. */
const finite = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 53 - 1), max: 2 ** 53 - 1 })
  .filter((number) => number === 0 || Math.abs(number) > 1e-120);
const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), finite.map(withoutNegativeZero));
const beyond = fc
  .bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
  .filter((value) => value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER));
const text = fc.oneof(anyText(), fc.string({ unit: 'grapheme' }), fc.constant(''));
const name = fc
  .oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('toString', 'S', 'M', 'a.b', ' '))
  // The SDK's library takes an object with such a name for an instance.
  .filter((each) => !['__proto__', 'constructor'].includes(each));
const sets = fc.oneof(
  fc.uniqueArray(text, { minLength: 1, maxLength: 4 }).map((values) => new Set(values)),
  fc.uniqueArray(number, { minLength: 1, maxLength: 4 }).map((values) => new Set(values)),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, number, beyond, fc.boolean(), fc.constant(null), sets),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** The attributes of an item other than its key. */
export const randomAttributes = fc
  .dictionary(name, value, { maxKeys: 6, noNullPrototype: true })
  .map(({ pk: _pk, sk: _sk, ...attributes }) => attributes as Record<string, unknown>);

/** DynamoDB has one zero. */
function withoutNegativeZero(given: number): number {
  return given === 0 ? 0 : given;
}
