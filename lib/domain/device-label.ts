/** The label of a customer's device. It is untrusted text, which operators' terminals and customers' apps display. */
import type { Brand } from './brand.ts';

/** A label of at most 120 characters, without control characters and invisible characters. */
export type DeviceLabel = Brand<string, 'DeviceLabel'>;

const MAX_LABEL_CHARACTERS = 120;

/**
 * Parses a label from a User-Agent header, or from a session item that an earlier version stored.
 * @returns undefined when no visible text is left
 */
export function parseDeviceLabel(text: string | undefined): DeviceLabel | undefined {
  // Replaces Unicode's whole category "other": control characters (C0 and C1), direction marks and lone surrogates.
  const printable = (text ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  const label = [...printable].slice(0, MAX_LABEL_CHARACTERS).join('').trim();
  return label === '' ? undefined : (label as DeviceLabel);
}
