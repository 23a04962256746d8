/** The language of the messages that a person reads, and of the platform's sign-in pages. */

/** A tag (BCP 47), or what tells it when it is needed, where an app's language can change. */
export type Language = string | (() => string | undefined);

const TAG = /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i;

/** As platforms write tags too, `pt_BR`. Undefined for a text that is none: what the service cannot read hides what it could. */
export function tagOf(language: Language | undefined): string | undefined {
  const text = typeof language === 'function' ? language() : language;
  const tag = text?.replace(/_/g, '-');
  return tag && TAG.test(tag) ? tag : undefined;
}
