/**
 * Reads the messages of the timeline, which are HTML with `<b>` and `<em>`, for devices that show text and no HTML, such
 * as React Native. The results are text: an app that puts them into HTML has to escape them.
 */

/** A piece of a message with one style. */
export interface MessagePart {
  /** The text, without tags and entities. */
  readonly text: string;
  /** Whether the text is bold, such as a discount code. */
  readonly isBold: boolean;
  /** Whether the text is in italics, such as the reason of a change. */
  readonly isItalic: boolean;
}

/** A tag, also one that is cut off; an entity; text; a character that belongs to none of them. */
const MESSAGE_TOKENS = /<(\/?)([a-z][\w-]*)[^<>]*>?|&(lt|gt|amp|quot|#39);|[^<&]+|[<&]/gi;
const HTML_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/**
 * Returns the message as pieces, for a `Text` element each. Tags other than `<b>` and `<em>` are left out, and what is
 * not closed ends with the message.
 */
export function messageParts(message: string): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  let [isBold, isItalic, text] = [false, false, ''];
  const pushCurrentPart = () => {
    if (text) parts.push({ text, isBold, isItalic });
    text = '';
  };
  for (const [token, slash, tag, entity] of message.matchAll(MESSAGE_TOKENS)) {
    const name = tag?.toLowerCase();
    if (name === 'b' || name === 'em') {
      pushCurrentPart();
      if (name === 'b') isBold = !slash;
      else isItalic = !slash;
    } else if (!name) text += (entity && HTML_ENTITIES[entity.toLowerCase()]) ?? token;
  }
  pushCurrentPart();
  return parts;
}

/** Returns the message as text, for a notification or a label. */
export function plainText(message: string): string {
  return messageParts(message)
    .map(({ text }) => text)
    .join('');
}
