/**
 * Texts for a device and its sign-in times. The times are in the phone's time zone, because a sign-in has no store day.
 */
import { language, t } from './translate.js';

/** Texts in a device's User-Agent, the more specific first. @type {[string, string][]} */
const DEVICES = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Macintosh', 'Mac'],
  ['Windows', 'windowsComputer'],
  ['Linux', 'linuxComputer'],
];

const LONGEST = 40;

/** @param {string | null} label */
export function deviceText(label) {
  if (label === null || label.trim() === '') return t('unknownDevice');
  const known = DEVICES.find(([part]) => label.includes(part));
  const name = known?.[1];
  return name === 'windowsComputer' || name === 'linuxComputer' ? t(name) : (name ?? label.slice(0, LONGEST));
}

/** @param {{ createdAt: string, lastUsedAt: string | null }} session */
export function useText({ createdAt, lastUsedAt }) {
  return lastUsedAt === null
    ? t('signedInAt', { moment: moment(createdAt) })
    : t('lastUsedAt', { moment: moment(lastUsedAt) });
}

/** @param {string} isoDate */
function moment(isoDate) {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(isoDate),
  );
}
