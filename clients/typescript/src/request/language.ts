/** The language of the messages that a person reads, and of the platform's sign-in pages. */

/** A tag (BCP 47), or a function that returns it for each request, for an app whose language can change. */
export type Language = string | (() => string | undefined);

const TAG_PATTERN = /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i;

/**
 * Returns the tag with hyphens; platforms also write `pt_BR`.
 * @returns undefined for an invalid tag, so that it cannot hide a language that the service can read.
 */
export function languageTagOf(language: Language | undefined): string | undefined {
  const text = typeof language === 'function' ? language() : language;
  const tag = text?.replace(/_/g, '-');
  return tag && TAG_PATTERN.test(tag) ? tag : undefined;
}
