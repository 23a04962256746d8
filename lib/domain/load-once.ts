/** Loads when it is first asked, and keeps what came: importing a module again costs 100 µs of CPU, loaded as it is. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
