/** Fields with all fragments spread out, which is what the plan has to visit. Measured without doing so. */
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
