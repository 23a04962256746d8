import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyTokenGeneration } from '../../../../lib/sign-in/sessions/classify-generation.ts';
import { accessTokenExpiresAtMs } from '../../../../lib/storage/sessions/session-record.ts';

const SECOND = 1000;
const MINTED = 1_000_000 * SECOND;
/** Generation 7, made just now; the four before it were replaced 100 s apart. */
const session = {
  generation: 7,
  mintedAtMs: MINTED,
  replaced: [6, 5, 4, 3].map((generation, i) => ({ generation, atMs: MINTED - i * 100 * SECOND })),
  confirmedGeneration: 6,
};
const pair = (generation: number) => ({ generation, handOut: 0 });
const at = (seconds: number) => MINTED + seconds * SECOND;

describe('what a generation means', () => {
  test.each([
    ['the current one rotates', session, 7, 0, 'rotate'],
    ['one ahead: the table was restored', session, 8, 0, 'ahead'],
    ['far ahead', session, 900, 0, 'ahead'],
    ['one behind, at once', session, 6, 1, 'repeat'],
    ['one behind, confirmed, within 60 s', { ...session, confirmedGeneration: 7 }, 6, 60, 'repeat'],
    ['one behind, confirmed, after 60 s', { ...session, confirmedGeneration: 7 }, 6, 61, 'reuse'],
    ['one behind, never used, hours later', session, 6, 36_000, 'repeat'],
    ['two behind, replaced 50 s ago', { ...session, replaced: at5(-50) }, 5, 0, 'refuse'],
    ['two behind, replaced 61 s ago', { ...session, replaced: at5(-61) }, 5, 0, 'reuse'],
    ['too old to be kept', session, 1, 0, 'reuse'],
    [
      'too old to be kept, but the oldest kept was replaced a moment ago',
      { ...session, replaced: [6, 5, 4, 3].map((generation) => ({ generation, atMs: at(-30) })) },
      1,
      0,
      'refuse',
    ],
    [
      'replaced long ago, but a late repeat was served',
      { ...session, lateRepeatAtMs: at(1000) },
      5,
      1050,
      'refuse',
    ],
    [
      'a late repeat is over',
      { ...session, lateRepeatAtMs: at(1000), confirmedGeneration: 7 },
      6,
      1061,
      'reuse',
    ],
    ['lost in a restore: judged by the next that is kept', jumped(), 5, 30, 'refuse'],
    ['lost in a restore, later', jumped(), 5, 61, 'reuse'],
  ])('%s', (_what, state, presented, seconds, verdict) => {
    expect(classifyTokenGeneration(state, pair(presented), at(seconds)).kind).toBe(verdict);
  });

  test('a repeat is late after 60 s, and a second tab within 60 s of it is not', () => {
    expect(classifyTokenGeneration(session, pair(6), at(60))).toEqual({ kind: 'repeat', isLate: false });
    expect(classifyTokenGeneration(session, pair(6), at(300))).toEqual({ kind: 'repeat', isLate: true });
    const noted = { ...session, lateRepeatAtMs: at(300), confirmedGeneration: 7 };
    expect(classifyTokenGeneration(noted, pair(6), at(359))).toEqual({ kind: 'repeat', isLate: false });
  });
});

function at5(seconds: number) {
  return [
    { generation: 6, atMs: MINTED },
    { generation: 5, atMs: at(seconds) },
  ];
}

/** The table had 4 → 5, the token was 8: now at 9, and 5 to 7 were never seen replaced. */
function jumped() {
  const replaced = [
    { generation: 8, atMs: MINTED },
    { generation: 4, atMs: at(-9000) },
  ];
  return { ...session, generation: 9, replaced };
}

describe('expiry of an access token', () => {
  const HOUR = 3_600_000;
  test('an hour from minting, or as many as leave 10 minutes; never past the last day', () => {
    const lifetime = { mintedAtMs: MINTED, absoluteExpiresAtMs: MINTED + 1000 * HOUR };
    expect(accessTokenExpiresAtMs(lifetime, MINTED)).toBe(MINTED + HOUR);
    expect(accessTokenExpiresAtMs(lifetime, MINTED + HOUR * (50 / 60))).toBe(MINTED + HOUR);
    expect(accessTokenExpiresAtMs(lifetime, MINTED + HOUR * (51 / 60))).toBe(MINTED + 2 * HOUR);
    expect(accessTokenExpiresAtMs({ ...lifetime, absoluteExpiresAtMs: MINTED + 5 }, MINTED)).toBe(MINTED + 5);
  });

  test('at least 10 minutes and at most 70 are left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 * 24 * HOUR }), (late) => {
        const lifetime = { mintedAtMs: MINTED, absoluteExpiresAtMs: MINTED + 365 * 24 * HOUR };
        const left = accessTokenExpiresAtMs(lifetime, MINTED + late) - MINTED - late;
        expect(left).toBeGreaterThanOrEqual(HOUR / 6);
        expect(left).toBeLessThan(HOUR * (70 / 60));
      }),
    );
  });
});
