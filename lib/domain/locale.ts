/** The language that a person's device is set to, as the platform's pages take it. */
import type { Brand } from './brand.ts';

/** A language tag (BCP 47) without extensions, such as `de-AT`. */
export type Locale = Brand<string, 'Locale'>;

/** What programs have to bear (RFC 5646, section 4.4.1). */
const MAX_LENGTH = 35;

/** The locale of a tag, also in the form that systems write it, `de_AT`; undefined if it is none. */
export function parseLocale(text: string): Locale | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return new Intl.Locale(text.replaceAll('_', '-')).baseName as Locale;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
