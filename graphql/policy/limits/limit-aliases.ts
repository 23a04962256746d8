/**
 * Aliases multiply an answer without adding a name, so all of them count, `__typename`'s too. Fragments are not
 * spread out to count them (measure-document.ts).
 */
import type { ValidationRule } from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import type { Limits } from './limits.ts';
import { measureDocument } from './measure-document.ts';

/** Reports a document beyond the limit, once. */
export function limitAliases({ aliases: max }: Limits): ValidationRule {
  return (context) => ({
    Document(document) {
      const { aliases: actual } = measureDocument(document);
      if (actual > max) context.reportError(tooComplex({ limit: 'aliases', max, actual }));
    },
  });
}
