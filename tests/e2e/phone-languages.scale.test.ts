/** The phone in each of its languages; `npm test` plays the one with the longest words. */
import './phone-languages.suite.ts';
