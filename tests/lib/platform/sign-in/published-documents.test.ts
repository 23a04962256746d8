/** The cache duration of documents, and their eviction under a stream of stores. */
import { expect, test } from '@jest/globals';
import { createPublishedDocumentCache } from '../../../../lib/platform/sign-in/published-document-cache.ts';

const MINUTE_MS = 60_000;

function world() {
  const clock = { ms: 1_700_000_000_000 };
  const documents = createPublishedDocumentCache<string>(() => clock.ms);
  let loads = 0;
  return {
    documents,
    loads: () => loads,
    pass: (ms: number) => {
      clock.ms += ms;
    },
    load: async () => {
      loads += 1;
      return `document ${loads}`;
    },
    fail: async (): Promise<string> => {
      throw new Error('the platform does not answer');
    },
  };
}

test('a document in use stays, however many others are asked for', async () => {
  const { documents, load, loads } = world();
  for (let other = 0; other < 3_000; other++) {
    await documents.get('ours', load);
    await documents.get(`other ${other}`, async () => 'other');
  }
  expect(loads()).toBe(1);
});

test('a document is loaded again after 10 minutes', async () => {
  const { documents, load, pass } = world();
  expect(await documents.get('ours', load)).toBe('document 1');
  pass(10 * MINUTE_MS - 1);
  expect(await documents.get('ours', load)).toBe('document 1');
  pass(2);
  expect(await documents.get('ours', load)).toBe('document 2');
});

test('while the platform does not answer, a document is served for an hour', async () => {
  const { documents, load, fail, pass } = world();
  await expect(documents.get('ours', fail)).rejects.toThrow('does not answer');
  await documents.get('ours', load);
  for (let minutes = 11; minutes < 60; minutes += 7) {
    pass(7 * MINUTE_MS);
    expect(await documents.get('ours', fail)).toBe('document 1');
  }
  pass(11 * MINUTE_MS);
  await expect(documents.get('ours', fail)).rejects.toThrow('does not answer');
  expect(await documents.get('ours', load)).toBe('document 2');
});

test('a reload replaces the document, but not within 10 seconds; one that fails leaves it', async () => {
  const { documents, load, fail, pass } = world();
  await documents.get('ours', load);
  pass(9_999);
  expect(await documents.reload('ours', load, 10_000)).toBeUndefined();
  pass(1);
  await expect(documents.reload('ours', fail, 10_000)).rejects.toThrow('does not answer');
  expect(await documents.get('ours', load)).toBe('document 1');
  expect(await documents.reload('ours', load, 10_000)).toBe('document 2');
  expect(await documents.reload('never seen', load, 10_000)).toBe('document 3');
});

test('a load that failed is tried anew by the next request', async () => {
  const { documents, load, fail } = world();
  await expect(documents.get('ours', fail)).rejects.toThrow('does not answer');
  expect(await documents.get('ours', load)).toBe('document 1');
});
