/** Dates, money, intervals and states as people say them. */
import { dayOf, inStoreZone } from './store-day.js';

/** @param {string} isoDate */
export function longDate(isoDate) {
  return inStoreZone(isoDate, { weekday: 'short', day: 'numeric', month: 'long' });
}

/** @param {string} isoDate */
export function shortDate(isoDate) {
  return inStoreZone(isoDate, { weekday: 'short', day: 'numeric', month: 'short' });
}

/** @param {string} isoDate */
export function momentWords(isoDate) {
  return inStoreZone(isoDate, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The time from now in whole days, or in weeks where they are many. @param {string} isoDate @param {number} [nowMs] */
export function howSoon(isoDate, nowMs = Date.now()) {
  const days = Math.round((Date.parse(dayOf(Date.parse(isoDate))) - Date.parse(dayOf(nowMs))) / 86_400_000);
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return Math.abs(days) < 45 ? words.format(days, 'day') : words.format(Math.round(days / 7), 'week');
}

/** @typedef {{ amount: string, currencyCode: string }} Money */

/** @param {Money} money */
export function price({ amount, currencyCode }) {
  return new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode }).format(Number(amount));
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
  const unit = interval.toLowerCase();
  return intervalCount === 1 ? `every ${unit}` : `every ${intervalCount} ${unit}s`;
}

/** Words that begin a line. @param {string} words */
export function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @type {Record<string, { label: string, tone: string }>} */
const STATES = {
  ACTIVE: { label: 'Active', tone: 'good' },
  PAUSED: { label: 'Paused', tone: 'quiet' },
  CANCELLED: { label: 'Cancelled', tone: 'quiet' },
  EXPIRED: { label: 'Ended', tone: 'quiet' },
  FAILED: { label: 'Payment failed', tone: 'bad' },
};

/**
 * A state the app does not know yet is shown by its own name.
 * @param {{ status: string, lastPaymentStatus?: string | null }} contract
 */
export function stateOf({ status, lastPaymentStatus }) {
  if (status === 'ACTIVE' && lastPaymentStatus === 'FAILED') return { label: 'Payment failed', tone: 'bad' };
  return STATES[status] ?? { label: sentence(status.toLowerCase()), tone: 'quiet' };
}
