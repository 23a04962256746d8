/** A browser for tests: stores cookies by path, follows redirects of one origin, stops at an app's scheme. */

type Cookie = { readonly name: string; readonly value: string; readonly path: string };

export type Page = {
  readonly status: number;
  /** The browser's location: the last address, or the app's redirect address. */
  readonly url: string;
  readonly text: string;
  readonly headers: Headers;
  /** The paths of the forms on the page, in order. */
  readonly forms: readonly string[];
};

export type Browser = {
  readonly open: (url: string) => Promise<Page>;
  /** Sends the page's form whose path ends in `step`. */
  readonly submit: (page: Page, step: string, fields?: Record<string, string>) => Promise<Page>;
  readonly cookies: () => readonly Cookie[];
};

const hops = 10;

export function createBrowser(): Browser {
  const cookies = new Map<string, Cookie>();

  function storeCookies(response: Response): void {
    for (const header of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const found = attributes.map((each) => each.split('=')).find(([key]) => key?.toLowerCase() === 'path');
      const path = found?.[1] ?? '/';
      if (value === '') cookies.delete(`${path} ${name}`);
      else cookies.set(`${path} ${name}`, { name, value, path });
    }
  }

  function headerFor(path: string): string {
    const sent = [...cookies.values()].filter(
      (cookie) => path === cookie.path || path.startsWith(`${cookie.path}/`),
    );
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async function go(url: string, init: RequestInit = {}, hop = 0): Promise<Page> {
    if (hop > hops) throw new Error(`Too many redirects at ${url}`);
    const headers = {
      'user-agent': 'test browser',
      accept: 'text/html',
      cookie: headerFor(new URL(url).pathname),
    };
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    storeCookies(response);
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, url).href;
      if (!next.startsWith('http')) return pageOf(response, next);
      return go(next, {}, hop + 1);
    }
    return pageOf(response, url);
  }

  return {
    open: go,
    submit(page, step, fields = {}) {
      const path = page.forms.find((form) => form.endsWith(`/${step}`));
      if (path === undefined) throw new Error(`No form "${step}" on ${page.url}: ${page.text}`);
      return go(new URL(path, page.url).href, { method: 'POST', body: new URLSearchParams(fields) });
    },
    cookies: () => [...cookies.values()],
  };
}

async function pageOf(response: Response, url: string): Promise<Page> {
  const text = await response.text();
  const forms = [...text.matchAll(/<form method="post" action="([^"]+)"/g)].map((match) => String(match[1]));
  return { status: response.status, url, text, headers: response.headers, forms };
}
