/** What a device calls itself: a text from outside, which operators' terminals and customers' apps show. */
import type { Brand } from './brand.ts';

/** At most 120 characters, without any that control a terminal or cannot be seen. */
export type DeviceLabel = Brand<string, 'DeviceLabel'>;

const MAX_CHARACTERS = 120;

/** The label in a User-Agent, or in an item from before labels were parsed; undefined: nothing is left to be shown. */
export function parseDeviceLabel(text: string | undefined): DeviceLabel | undefined {
  // Controls of C0 and C1, marks of direction, halves of pairs: all of Unicode's category "other".
  const shown = (text ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  const label = [...shown].slice(0, MAX_CHARACTERS).join('').trim();
  return label === '' ? undefined : (label as DeviceLabel);
}
