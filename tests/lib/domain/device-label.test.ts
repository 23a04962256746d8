import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDeviceLabel } from '../../../lib/domain/device-label.ts';

describe('the label of a device', () => {
  test.each([
    ['Shop/1.0 (Pixel 9)', 'Shop/1.0 (Pixel 9)'],
    ['Phone\u009b31m\u0085/1', 'Phone 31m /1'],
    ['\u001b]0;owned\u0007Phone', ']0;owned Phone'],
    ['Phone\u202egnp.exe', 'Phone gnp.exe'],
    ['Phone\u2028\r\n2', 'Phone 2'],
    ['Phone\ud800', 'Phone'],
    ['   ', undefined],
    ['\u009b\u200b', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is shown as %j', (text, label) => {
    expect(parseDeviceLabel(text)).toBe(label);
  });

  test('whatever a client sends: nothing that controls, at most 120 characters, and the same when parsed again', () => {
    const part = fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0xff }));
    const texts = fc.array(part, { maxLength: 200 }).map((points) => String.fromCodePoint(...points));
    const property = fc.property(texts, (text) => {
      const label = parseDeviceLabel(text);
      if (label === undefined) return;
      expect(label).not.toMatch(/\p{C}/u);
      expect(label).toBe(label.trim());
      expect([...label].length).toBeLessThanOrEqual(120);
      expect(parseDeviceLabel(label)).toBe(label);
    });
    fc.assert(property, { seed: 9, numRuns: 200 });
  });
});
