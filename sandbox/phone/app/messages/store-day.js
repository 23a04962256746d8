/** Days as the store counts them, wherever the phone is: the store's e-mails and its history name the same ones. */
import { language } from './translate.js';

let zone = 'UTC';

/** @param {string} timeZone As `serviceInfo.storeTimeZone` tells it. */
export function keepStoreZone(timeZone) {
  zone = timeZone;
}

/** A moment in the store's words. @param {string} isoDate @param {Intl.DateTimeFormatOptions} options */
export function inStoreZone(isoDate, options) {
  return new Date(isoDate).toLocaleString(language(), { ...options, timeZone: zone });
}

/** A day as date fields write it: 2027-01-31. @param {number} timeMs */
export function dayOf(timeMs) {
  return wallTime(timeMs).slice(0, 10);
}

/** The first moment of a day. @param {string} day As date fields write it. */
export function startOf(day) {
  return momentOf(`${day}T00:00:00`);
}

/** The same time of day on another day. @param {string} isoDate @param {string} day As date fields write it. */
export function sameTimeOn(isoDate, day) {
  return momentOf(`${day}${wallTime(Date.parse(isoDate)).slice(10)}`);
}

/** What a clock in the store shows: 2027-01-31T08:00:00. @param {number} timeMs */
function wallTime(timeMs) {
  const text = new Date(timeMs).toLocaleString('sv-SE', { timeZone: zone });
  return text.replace(' ', 'T');
}

/** When a clock in the store shows this; in an hour that the clocks leave out, an hour later. @param {string} wall */
function momentOf(wall) {
  const asUtcMs = Date.parse(`${wall}Z`);
  /** @param {number} timeMs */
  const aheadMs = (timeMs) => Date.parse(`${wallTime(timeMs)}Z`) - timeMs;
  const guesses = [aheadMs(asUtcMs - aheadMs(asUtcMs)), aheadMs(asUtcMs)].map((ahead) => asUtcMs - ahead);
  const found = guesses.find((timeMs) => wallTime(timeMs) === wall) ?? Math.max(...guesses);
  return new Date(found).toISOString();
}
