/** Depth counts fields inside fields. Fragments are not spread out to measure it (measure-document.ts). */
import type { ValidationRule } from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import type { Limits } from './limits.ts';
import { measureDocument } from './measure-document.ts';

/** Reports a document beyond the limit, once. */
export function limitDepth({ depth: max }: Limits): ValidationRule {
  return (context) => ({
    Document(document) {
      const { depth: actual } = measureDocument(document);
      if (actual > max) context.reportError(tooComplex({ limit: 'depth', max, actual }));
    },
  });
}
