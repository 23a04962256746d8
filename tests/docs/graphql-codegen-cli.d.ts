/** The command line of the generator brings hundreds of packages; its configuration's type is that of its core. */
declare module '@graphql-codegen/cli' {
  export type CodegenConfig = import('@graphql-codegen/plugin-helpers').Types.Config;
}
