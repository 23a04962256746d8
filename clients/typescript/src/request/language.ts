/** The language of the messages that a person reads, and of the platform's sign-in pages. */

/** A tag (BCP 47), or what tells it when it is needed, where an app's language can change. */
export type Language = string | (() => string | undefined);

export function tagOf(language: Language | undefined): string | undefined {
  return typeof language === 'function' ? language() : language;
}
