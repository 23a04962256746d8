/** A file that `npm run generate` writes: its path from the project's folder, and what must stand in it. */
export type GeneratedFile = { readonly file: string; readonly text: string };
