import { describe, expect, test } from '@jest/globals';
import { isBrowserOrigin } from '../../../lib/config/browser-origin.ts';

describe('an origin that may be configured', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com:8443',
    'https://localhost',
    'http://localhost',
    'http://localhost:8100',
    'http://127.0.0.1:5173',
    'capacitor://localhost',
    'ionic://localhost',
    'com.example.shop://app',
  ])('%s, as a browser or a web view sends it', (origin) => {
    expect(isBrowserOrigin(origin)).toBe(true);
  });

  test.each([
    ['*', 'stands for everybody'],
    ['null', 'every sandboxed frame sends it'],
    ['file://', 'no host'],
    ['capacitor://', 'no host'],
    ['capacitor://*', 'no host'],
    ['capacitor:localhost', 'no host'],
    ['capacitor://localhost/', 'a path'],
    ['https://app.example.com/', 'a path'],
    ['https://app.example.com?x', 'a query'],
    ['https://app.example.com#x', 'a fragment'],
    ['https://user@app.example.com', 'a user'],
    ['https://*.example.com', 'a pattern'],
    ['https://app.example.com,https://evil.example', 'two'],
    ['https://app.example.com https://evil.example', 'two'],
    ['https://app.example.com\n', 'a newline'],
    ['HTTPS://app.example.com', 'browsers send lower case'],
    ['capacitor://Localhost', 'web views send lower case'],
    ['https://bücher.example', 'browsers send punycode'],
    ['https://app.example.com:443', 'browsers leave the default port out'],
    ['https://app.example.com:99999', 'no port'],
    ['http://app.example.com', 'plain http of another machine'],
    ['http://localhost.evil.example', 'plain http of another machine'],
    ['http://localhost@evil.example', 'a user'],
    ['http://127.0.0.1.evil.example', 'plain http of another machine'],
    ['javascript://localhost', 'no origin of a page'],
    ['data://localhost', 'no origin of a page'],
    ['file://localhost', 'no origin of a page'],
    ['', 'nothing'],
  ])('is not %j: %s', (origin) => {
    expect(isBrowserOrigin(origin)).toBe(false);
  });
});
