/** The language of a person's device, in the form that the platform's pages accept. */
import type { Brand } from './brand.ts';

/** A language tag (BCP 47) without extensions, such as `de-AT`. */
export type Locale = Brand<string, 'Locale'>;

/** The length that implementations must support (RFC 5646, section 4.4.1). */
const MAX_LENGTH = 35;

/** The tag for an undetermined language (RFC 5646, section 4.1). */
const UNDETERMINED = /^und(-|$)/;

/**
 * Parses a language tag, also in the form of operating systems, `de_AT`.
 * @returns undefined when it is invalid, or names no language
 */
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
