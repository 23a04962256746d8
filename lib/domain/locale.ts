/** The language of a person's device, as a tag for the platform's sign-in pages. */
import type { Brand } from './brand.ts';

/** A language tag (BCP 47) without extensions, for example `de-AT`. */
export type Locale = Brand<string, 'Locale'>;

/** The length of tags that every implementation must support (RFC 5646, section 4.4.1). */
const MAX_TAG_LENGTH = 35;

/** The tag of an undetermined language (RFC 5646, section 4.1). */
const UNDETERMINED_LANGUAGE_PATTERN = /^und(-|$)/;

/**
 * Parses a language tag. Also accepts the form of operating systems, `de_AT`.
 * @returns undefined when the tag is invalid or names no language
 */
export function parseLocale(text: string): Locale | undefined {
  if (text.length > MAX_TAG_LENGTH) return undefined;
  try {
    const { baseName } = new Intl.Locale(text.replaceAll('_', '-'));
    return UNDETERMINED_LANGUAGE_PATTERN.test(baseName) ? undefined : (baseName as Locale);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
