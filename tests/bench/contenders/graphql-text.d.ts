/** The bundler reads these files as text. */
declare module '*.graphql' {
  const text: string;
  export default text;
}
