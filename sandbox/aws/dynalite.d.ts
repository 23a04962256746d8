/** dynalite comes without types: as much of it as the local stack uses. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = {
    /** Folder of the data; in memory without it. */
    readonly path?: string;
    readonly createTableMs?: number;
    readonly updateTableMs?: number;
    readonly deleteTableMs?: number;
  };
  const dynalite: (options?: Options) => Server;
  export default dynalite;
}
