/**
 * GraphQL Code Generator for an app or a server: `npx graphql-codegen --config codegen.ts` makes types of your documents, and
 * documents that know them. Install graphql, @graphql-typed-document-node/core and, versions 7, 6 and 7,
 * @graphql-codegen/{cli,typescript-operations,typed-document-node}; this command line wants Node 22.22 or 24.15, or later.
 * `schema` is customer.graphql for apps, admin.graphql for merchants' servers.
 */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'node_modules/subscription-management-client/customer.graphql',
  documents: ['src/**/*.graphql'],
  generates: {
    'src/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        // What comes over the wire: JSON has texts for all that is exact. Ids are opaque.
        scalars: {
          Date: 'string',
          DateTime: 'string',
          Decimal: 'string',
          FormattedString: 'string',
          HTML: 'string',
          ID: 'string',
          JSON: 'unknown',
          Money: 'string',
          StorefrontID: 'string',
          URL: 'string',
          UnsignedInt64: 'string',
        },
        // A scalar that comes later is an error here, not an `any`.
        strictScalars: true,
        // Values of enums may come: the compiler then asks for the branch of the rest.
        enumType: 'string-literal',
        futureProofEnums: true,
        // Documents are sent as text: an app needs no GraphQL library.
        documentMode: 'string',
        useTypeImports: true,
      },
    },
  },
};

// biome-ignore lint/style/noDefaultExport: the generator reads it so.
export default config;
