/** Days in the store's time zone, wherever the phone is: the store's e-mails and its history use the same days. */
import { language } from './translate.js';

let zone = 'UTC';

/** @param {string} timeZone The value of `serviceInfo.storeTimeZone`. */
export function keepStoreZone(timeZone) {
  zone = timeZone;
}

/**
 * Formats a moment in the store's time zone.
 * @param {string} isoDate
 * @param {Intl.DateTimeFormatOptions} options
 */
export function inStoreZone(isoDate, options) {
  return new Date(isoDate).toLocaleString(language(), { ...options, timeZone: zone });
}

/**
 * Returns a day in the format of date fields: 2027-01-31.
 * @param {number} timeMs
 */
export function dayOf(timeMs) {
  return wallTime(timeMs).slice(0, 10);
}

/**
 * Returns the first moment of a day.
 * @param {string} day In the format of date fields.
 */
export function startOf(day) {
  return momentOf(`${day}T00:00:00`);
}

/**
 * Returns the same time of day on another day.
 * @param {string} isoDate
 * @param {string} day In the format of date fields.
 */
export function sameTimeOn(isoDate, day) {
  return momentOf(`${day}${wallTime(Date.parse(isoDate)).slice(10)}`);
}

/**
 * Returns the local time of the store: 2027-01-31T08:00:00.
 * @param {number} timeMs
 */
function wallTime(timeMs) {
  const text = new Date(timeMs).toLocaleString('sv-SE', { timeZone: zone });
  return text.replace(' ', 'T');
}

/**
 * Returns the moment of a local time of the store; for a time that the clocks skip, an hour later.
 * @param {string} wall
 */
function momentOf(wall) {
  const asUtcMs = Date.parse(`${wall}Z`);
  /** @param {number} timeMs */
  const aheadMs = (timeMs) => Date.parse(`${wallTime(timeMs)}Z`) - timeMs;
  const guesses = [aheadMs(asUtcMs - aheadMs(asUtcMs)), aheadMs(asUtcMs)].map((ahead) => asUtcMs - ahead);
  const found = guesses.find((timeMs) => wallTime(timeMs) === wall) ?? Math.max(...guesses);
  return new Date(found).toISOString();
}
