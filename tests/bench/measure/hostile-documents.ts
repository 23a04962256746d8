/**
 * Documents of 256 KB that are made to cost, each kind once; and small ones that cost the most among those which
 * stay within every limit: such a one may be valid, and is then answered.
 */
const BYTES = 255 * 1024;
const fill = (part: (index: number) => string) => {
  const parts: string[] = [];
  for (let bytes = 0, index = 0; bytes < BYTES; index++) {
    const text = part(index);
    parts.push(text);
    bytes += text.length;
  }
  return parts.join('');
};

/** By kind. */
export const hostileDocuments: Readonly<Record<string, string>> = {
  deep: `{ ${'a{'.repeat(BYTES / 3)}a${'}'.repeat(BYTES / 3)} }`,
  'deep in an argument': `{ a(b: ${'['.repeat(BYTES)}`,
  wide: `{ ${'shop '.repeat(BYTES / 5)} }`,
  aliases: `{ ${fill((index) => `a${index}: __typename `)} }`,
  'fragment bomb': `{ ...f0 } ${fill(
    (index) => `fragment f${index} on QueryRoot { ...f${index + 1} ...f${index + 1} } `,
  )}`,
  'small fragment bomb': `{ ...f0 } ${Array.from(
    { length: 60 },
    (_, index) => `fragment f${index} on QueryRoot { ...f${index + 1} ...f${index + 1} } `,
  ).join('')} fragment f60 on QueryRoot { __typename }`,
  'fragment circle': `{ ...f0 } ${Array.from(
    { length: 100 },
    (_, index) => `fragment f${index} on QueryRoot { ...f${(index + 1) % 100} } `,
  ).join('')}`,
  'directive flood': `{ shop ${'@a '.repeat(BYTES / 3)} }`,
  'huge text': `{ a(b: "${'x'.repeat(BYTES)}") }`,
  'huge block text': `{ a(b: """${' \n'.repeat(BYTES / 2)}""") }`,
  'huge number': `{ a(b: ${'9'.repeat(BYTES)}) }`,
  'huge name': `{ ${'a'.repeat(BYTES)} }`,
  'huge list': `{ a(b: [${'1 '.repeat(BYTES / 2)}]) }`,
  'overlapping fields': `{ ${'customer(id:"1"){id} '.repeat(BYTES / 21)} }`,
  'few overlapping fields': `{ ${'customer(id:"1"){orders(first:1){nodes{id name}}} '.repeat(100)} }`,
  'overlapping fragments': `{ ${Array.from({ length: 90 }, (_, index) => `...f${index} `).join('')} } ${Array.from(
    { length: 90 },
    (_, index) => `fragment f${index} on QueryRoot { customer(id: "1") { ${'id email '.repeat(5)} } } `,
  ).join('')}`,
  variables: `query (${fill((index) => `$v${index}: Int `)}) { __typename }`,
  operations: fill((index) => `query q${index} { __typename } `),
  'comments and commas': `{ __typename ${',#x\n'.repeat(BYTES / 4)} }`,
  brackets: '{'.repeat(BYTES),
};
