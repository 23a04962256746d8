/** A file that `npm run generate` writes: its path from the project's folder, and its text. */
export type GeneratedFile = { readonly file: string; readonly text: string };
