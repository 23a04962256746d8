/** What a client cannot be made without. Whoever forgot it hears so at once, and not after all tries of the first call. */

/** Throws TypeError for a `serviceUrl` that is none, and for the first of the names that has no value. */
export function checkOptions<Options extends { readonly serviceUrl: string }>(
  options: Options,
  ...names: readonly (keyof Options & string)[]
): void {
  const isUrl = /^https?:/i.test(options.serviceUrl);
  const missing = isUrl ? names.find((name) => !options[name]) : 'serviceUrl with http(s)://';
  if (missing) throw new TypeError(`There is no ${missing}.`);
}
