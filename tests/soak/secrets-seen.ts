/** Every secret of a soak, for the search afterwards. */

export type SecretsSeen = {
  add(...secrets: readonly string[]): void;
  size(): number;
  /** Which of them a text contains, each shortened to what does not give it away. */
  findIn(text: string): string[];
};

const WORD = /[A-Za-z0-9_-]{12,}/g;
const MIN_LENGTH = 12;
const PRINTED = 8;

export function createSecretsSeen(): SecretsSeen {
  const seen = new Set<string>();
  return {
    add(...secrets) {
      for (const secret of secrets) if (secret.length >= MIN_LENGTH) seen.add(secret);
    },
    size: () => seen.size,
    findIn(text) {
      const found = new Set<string>();
      for (const [word] of text.matchAll(WORD)) {
        const isToken = /SVC_(CT|RT|AT)_[A-Za-z0-9_-]{20,}/.test(word);
        if (isToken || seen.has(word)) found.add(`${word.slice(0, PRINTED)}…`);
      }
      return [...found];
    },
  };
}
