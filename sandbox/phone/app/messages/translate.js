/** The page's texts in the browser's language. Each language except English is loaded on demand. */
import { messages as english } from './generated/en.js';

/** @typedef {import('./generated/message-types.d.ts').Parameters} Parameters */

/** The languages by the prefix of their tags. @type {Record<string, () => Promise<{ messages: typeof english }>>} */
const LANGUAGES = {
  en: async () => ({ messages: english }),
  de: () => import('./generated/de.js'),
  fr: () => import('./generated/fr.js'),
  es: () => import('./generated/es.js'),
  it: () => import('./generated/it.js'),
  nl: () => import('./generated/nl.js'),
  pt: () => import('./generated/pt.js'),
  ja: () => import('./generated/ja.js'),
};
/** Languages whose texts are for one region. @type {Record<string, string>} */
const TAGS = { pt: 'pt-BR' };

/** @type {import('./generated/message-types.d.ts').Messages} */
let messages = english;
let tag = 'en';
/** @type {import('./generated/message-types.d.ts').Formats} */
const formats = {
  text: (text) => text,
  number: (number) => new Intl.NumberFormat(tag).format(number),
  plural: (number, forms) =>
    forms[`=${number}`] ?? forms[new Intl.PluralRules(tag).select(number)] ?? forms.other ?? '',
  select: (value, forms) => (Object.hasOwn(forms, value) ? forms[value] : forms.other) ?? '',
};

/** Returns the tag (BCP 47) for formatting dates and numbers. */
export function language() {
  return tag;
}

/**
 * Selects the first of the browser's languages that the page supports; otherwise English.
 * @param {readonly string[]} preferred
 */
export async function chooseLanguage(preferred) {
  const found = preferred
    .map((each) => each.toLowerCase().split('-')[0] ?? '')
    .find((each) => each in LANGUAGES);
  const name = found ?? 'en';
  messages = (await /** @type {() => Promise<{ messages: typeof english }>} */ (LANGUAGES[name])()).messages;
  tag = TAGS[name] ?? name;
}

/**
 * @template {keyof Parameters} Key
 * @param {Key} key
 * @param {Parameters[Key] extends undefined ? [] : [Parameters[Key]]} given
 * @returns {string}
 */
export function t(key, ...given) {
  const text = /** @type {string | ((f: typeof formats, a: any) => string)} */ (messages[key]);
  return typeof text === 'string' ? text : text(formats, given[0]);
}
