import { transformSync } from 'esbuild';

/** TypeScript and `.graphql` files (as text) for jest; output follows the module kind jest asks for. */
export default {
  process(source, path, options) {
    const { code, map } = transformSync(source, {
      loader: path.endsWith('.graphql') ? 'text' : 'ts',
      format: options.supportsStaticESM ? 'esm' : 'cjs',
      target: 'es2024',
      sourcemap: true,
      sourcefile: path,
    });
    return { code, map };
  },
};
