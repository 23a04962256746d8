/** A device and its times as people say them. A sign-in is told in the phone's own time: it has no store day. */

/** What a device's User-Agent begins to tell, the more exact first. @type {[string, string][]} */
const DEVICES = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Macintosh', 'Mac'],
  ['Windows', 'Windows computer'],
  ['Linux', 'Linux computer'],
];

const LONGEST = 40;

/** @param {string | null} label */
export function deviceWords(label) {
  if (label === null || label.trim() === '') return 'Unknown device';
  const known = DEVICES.find(([part]) => label.includes(part));
  return known?.[1] ?? label.slice(0, LONGEST);
}

/** @param {{ createdAt: string, lastUsedAt: string | null }} session */
export function useWords({ createdAt, lastUsedAt }) {
  return lastUsedAt === null ? `Signed in ${moment(createdAt)}` : `Last used ${moment(lastUsedAt)}`;
}

/** @param {string} isoDate */
function moment(isoDate) {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(isoDate),
  );
}
