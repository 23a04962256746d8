/**
 * Converts a request's headers to the form that Node's HTTP client writes fastest: name, value, name, value. From an
 * object Node first builds a map, which takes a tenth of the time of a short request. Node adds no Host and no
 * Content-Length to a list.
 */
export function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, `${headers[name]}`);
  return list;
}
