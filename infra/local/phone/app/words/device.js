/** A device and its times as people say them. A sign-in is told in the phone's own time: it has no store day. */
import { language, say } from './say.js';

/** What a device's User-Agent begins to tell, the more exact first. @type {[string, string][]} */
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
export function deviceWords(label) {
  if (label === null || label.trim() === '') return say('unknownDevice');
  const known = DEVICES.find(([part]) => label.includes(part));
  const name = known?.[1];
  return name === 'windowsComputer' || name === 'linuxComputer'
    ? say(name)
    : (name ?? label.slice(0, LONGEST));
}

/** @param {{ createdAt: string, lastUsedAt: string | null }} session */
export function useWords({ createdAt, lastUsedAt }) {
  return lastUsedAt === null
    ? say('signedInAt', { moment: moment(createdAt) })
    : say('lastUsedAt', { moment: moment(lastUsedAt) });
}

/** @param {string} isoDate */
function moment(isoDate) {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(isoDate),
  );
}
