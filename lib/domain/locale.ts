/** The language that a person's device is set to, as the platform's pages take it. */
import type { Brand } from './brand.ts';

/** A language tag (BCP 47) without extensions, such as `de-AT`. */
export type Locale = Brand<string, 'Locale'>;

/** What programs have to bear (RFC 5646, section 4.4.1). */
const MAX_LENGTH = 35;

/** The tag where nobody knows the language (RFC 5646, section 4.1). */
const UNDETERMINED = /^und(-|$)/;

/** The locale of a tag, also in the form that systems write it, `de_AT`; undefined if it is none, or names no language. */
export function parseLocale(text: string): Locale | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const { baseName } = new Intl.Locale(text.replaceAll('_', '-'));
    return UNDETERMINED.test(baseName) ? undefined : (baseName as Locale);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
