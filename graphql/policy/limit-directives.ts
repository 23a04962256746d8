/** Directives of the whole document, wherever they stand. */
import type { ValidationRule } from 'graphql';
import type { Limits } from './limits.ts';
import { tooComplex } from './policy-error.ts';

/** Reports a document beyond the limit, once. */
export function limitDirectives({ directives: max }: Limits): ValidationRule {
  return (context) => {
    let actual = 0;
    return {
      Directive() {
        actual += 1;
      },
      Document: {
        leave() {
          if (actual > max) context.reportError(tooComplex({ limit: 'directives', max, actual }));
        },
      },
    };
  };
}
