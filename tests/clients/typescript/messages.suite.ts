/** Reads the messages of the timeline as an app without HTML does: every one of them, and invalid ones. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageParts, plainText } from '../../../clients/typescript/src/client.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { LANGUAGES } from '../../../lib/messages/languages.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { TIMELINE_ACTIONS } from '../../../lib/timeline/actions.ts';
import {
  type ContractNumber,
  type EventRecord,
  formatEventNumber,
} from '../../../lib/timeline/event-record.ts';
import { presentEvent } from '../../../lib/timeline/present/present-event.ts';

const TEXT = 'R&D <b>5 & "6"</b> &lt;3';
const DETAILS = {
  ...{ billingCycleIndex: 3, billingDate: '2026-12-01T00:00:00Z', until: '2027-01-05T00:00:00Z' },
  ...{ redeemCode: TEXT, reason: TEXT, interval: 'WEEK', intervalCount: 2 },
};
const contract = '31' as ContractNumber;
const createdAtMs = Date.parse('2026-11-21T12:00:00Z');
const customerId = 7001001 as CustomerId;

/** The messages of all actions, with texts of a client and without. */
async function messagesIn(language: (typeof LANGUAGES)[number]): Promise<string[]> {
  const translate = await createTranslator(language, UTC);
  const reader = { customerId, gidNamespace: 'platform', translate, isOpenToCustomers: () => true };
  return Object.keys(TIMELINE_ACTIONS).flatMap((action) =>
    [DETAILS, {}].map((details) => {
      const record: EventRecord = {
        ...{
          number: formatEventNumber({ createdAtMs, sequence: 0, contract }),
          contract,
          createdAtMs,
          action,
        },
        ...{
          shopId: 81234567001 as ShopId,
          id: 'e',
          requestId: 'r',
          details,
          changes: [],
          outcome: 'UNKNOWN',
        },
        actor: { kind: 'CUSTOMER', customerId },
      };
      return presentEvent(record, { kind: 'customer', ...reader }).message;
    }),
  );
}

const decoded = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&amp;', '&');

describe('the messages of the timeline', () => {
  test.each(LANGUAGES)('in %s are shown as text, bold and italic where they are', async (language) => {
    const messages = await messagesIn(language);
    expect(messages.length).toBeGreaterThan(60);
    for (const message of messages) {
      const parts = messageParts(message);
      expect(plainText(message)).toBe(decoded(message.replace(/<\/?(b|em)>/g, '')));
      for (const [style, tag] of [
        ['isBold', 'b'],
        ['isItalic', 'em'],
      ] as const) {
        const expected = [...message.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'g'))].map(([, text]) =>
          decoded(text ?? ''),
        );
        expect(parts.filter((part) => part[style]).map(({ text }) => text)).toEqual(expected);
      }
    }
    expect(messages.filter((message) => message.includes('<em>')).length).toBeGreaterThan(20);
    expect(messages.some((message) => message.includes('<b>'))).toBe(true);
    expect(messages.some((message) => plainText(message).includes(TEXT))).toBe(true);
  });
});

describe('a message that is not valid', () => {
  test.each([
    ['', ''],
    ['a < b & c', 'a < b & c'],
    ['<b>not closed', 'not closed'],
    ['closed</b> once</em>', 'closed once'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>text', 'text'],
    ['cut off <img src="x', 'cut off '],
    ['<b', ''],
    ['&amp;lt;b&amp;gt; &lt;b&gt; &quot;&#39; &nbsp; &#x3c; &', '&lt;b&gt; <b> "\' &nbsp; &#x3c; &'],
    ['<body>a</body><b-x>b</b-x>', 'ab'],
    ['<!-- c -->', '<!-- c -->'],
    ['日本 <EM>語</EM> 😀', '日本 語 😀'],
  ])('%j is shown as %j', (message, text) => {
    expect(plainText(message)).toBe(text);
  });

  test('keeps the style of what is not closed until the end, and styles within each other', () => {
    expect(messageParts('a<b>b<em>c</b>d')).toEqual([
      { text: 'a', isBold: false, isItalic: false },
      { text: 'b', isBold: true, isItalic: false },
      { text: 'c', isBold: true, isItalic: true },
      { text: 'd', isBold: false, isItalic: true },
    ]);
  });

  test('is read to its end, in a time that grows with its length', () => {
    for (const piece of ['<', '&', '<b', '<b ', '&amp', '<<b>', 'a<']) {
      const parts = messageParts(piece.repeat(100_000));
      expect(parts.every(({ text }) => text.length > 0)).toBe(true);
    }
  });

  test('returns each text unchanged that was escaped', () => {
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(plainText(`<b>${escaped(text)}</b>`)).toBe(text);
      }),
    );
  });
});
