/** A device's own label: untrusted text that operators' terminals and customers' apps display. */
import type { Brand } from './brand.ts';

/** At most 120 characters, without control and invisible characters. */
export type DeviceLabel = Brand<string, 'DeviceLabel'>;

const MAX_CHARACTERS = 120;

/**
 * Parses the label in a User-Agent, or in an item of an earlier version.
 * @returns undefined when no visible text is left
 */
export function parseDeviceLabel(text: string | undefined): DeviceLabel | undefined {
  // Controls of C0 and C1, direction marks, lone surrogates: Unicode's whole category "other".
  const printable = (text ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  const label = [...printable].slice(0, MAX_CHARACTERS).join('').trim();
  return label === '' ? undefined : (label as DeviceLabel);
}
