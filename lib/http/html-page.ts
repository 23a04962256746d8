/**
 * Builds an HTML page that loads nothing: scripts and styles are inline, and the page's content security policy allows
 * them by their hashes.
 */
import { createHash } from 'node:crypto';

type HtmlPageParts = {
  readonly title: string;
  readonly body: string;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
};

/** Returns the page as text. The parts must already be valid HTML, CSS and JavaScript; nothing is escaped. */
export function buildHtmlPage({ title, body, styles, scripts }: HtmlPageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
${body}
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}

/** Returns the hash sources of inline scripts or styles for a content security policy (CSP level 3, section 2.3.1). */
export function cspHashesOf(texts: readonly string[]): string {
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}
