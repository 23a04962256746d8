/** Dates, money, intervals and states as people say them. */

import { dayOf, inStoreZone } from './store-day.js';
import { language, t } from './translate.js';

/** @param {string} isoDate */
export function longDate(isoDate) {
  return inStoreZone(isoDate, { weekday: 'short', day: 'numeric', month: 'long' });
}

/** @param {string} isoDate */
export function shortDate(isoDate) {
  return inStoreZone(isoDate, { weekday: 'short', day: 'numeric', month: 'short' });
}

/** @param {string} isoDate */
export function momentText(isoDate) {
  return inStoreZone(isoDate, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The time from now in whole days, or in weeks where they are many. @param {string} isoDate @param {number} [nowMs] */
export function howSoon(isoDate, nowMs = Date.now()) {
  const days = Math.round((Date.parse(dayOf(Date.parse(isoDate))) - Date.parse(dayOf(nowMs))) / 86_400_000);
  const text = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  return Math.abs(days) < 45 ? text.format(days, 'day') : text.format(Math.round(days / 7), 'week');
}

/** @typedef {{ amount: string, currencyCode: string }} Money */

/** @param {Money} money */
export function price({ amount, currencyCode }) {
  return new Intl.NumberFormat(language(), { style: 'currency', currency: currencyCode }).format(
    Number(amount),
  );
}

/** @param {Money[]} parts All of one currency. @returns {Money | undefined} */
export function total(parts) {
  const [first] = parts;
  if (first === undefined) return undefined;
  const sum = parts.reduce((amount, part) => amount + Number(part.amount), 0);
  return { amount: sum.toFixed(4), currencyCode: first.currencyCode };
}

/** @param {{ interval: string, intervalCount: number }} policy */
export function everyInterval({ interval, intervalCount }) {
  return t('every', { unit: interval, count: intervalCount });
}

/** Starts a line with a capital letter. @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const STATES = /** @type {const} */ ({
  ACTIVE: { key: 'stateActive', tone: 'good' },
  PAUSED: { key: 'statePaused', tone: 'quiet' },
  CANCELLED: { key: 'stateCancelled', tone: 'quiet' },
  EXPIRED: { key: 'stateExpired', tone: 'quiet' },
  FAILED: { key: 'stateFailed', tone: 'bad' },
});

/**
 * A state the app does not know yet is shown by its own name.
 * @param {{ status: string, lastPaymentStatus?: string | null }} contract
 */
export function stateOf({ status, lastPaymentStatus }) {
  const displayed = status === 'ACTIVE' && lastPaymentStatus === 'FAILED' ? 'FAILED' : status;
  const known = STATES[/** @type {keyof typeof STATES} */ (displayed)];
  if (known === undefined) return { label: sentence(status.toLowerCase()), tone: 'quiet' };
  return { label: t(known.key), tone: known.tone };
}
