/** Prints documents as the client sends them: compact, and with the fields of fragments in place of the fragments. */
import {
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  stripIgnoredCharacters,
} from 'graphql';

/** Returns the declaration of a fragment's fields, so that the documents of an app contain them once. */
export function writeFragmentText({ name, selectionSet }: FragmentDefinitionNode): string {
  return `const ${name.value}Text = ${writeDocumentLiteral(selectionSet).replace(/^"\{|\}"$/g, '"')};`;
}

/** Returns the declaration of a document. */
export function writeOperationText(operation: OperationDefinitionNode, name: string, types: string): string {
  return `export const ${name} = /* @__PURE__ */ new TypedDocumentString<${types}>(${writeDocumentLiteral(operation)});`;
}

/** Returns a JavaScript literal that contains the texts of its fragments. */
function writeDocumentLiteral(node: OperationDefinitionNode | SelectionSetNode): string {
  const text = JSON.stringify(stripIgnoredCharacters(print(node)));
  return text.replace(/\.\.\.(?!on )(\w+)/g, '" + $1Text + "');
}
