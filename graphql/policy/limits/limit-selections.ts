/**
 * Selections are the fields that compile visits, a fragment's at each of its uses. Fragments are not spread out to
 * count them (measure-document.ts).
 */
import type { ValidationRule } from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import type { Limits } from './limits.ts';
import { measureDocument } from './measure-document.ts';

/** Reports a document beyond the limit, once. */
export function limitSelections({ selections: max }: Limits): ValidationRule {
  return (context) => ({
    Document(document) {
      const { selections: actual } = measureDocument(document);
      if (actual > max) context.reportError(tooComplex({ limit: 'selections', max, actual }));
    },
  });
}
