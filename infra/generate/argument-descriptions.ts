/** What arguments mean that stand on many fields; one that a field describes itself comes before these. */
export const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  after: 'Only what comes after this cursor.',
  before: 'Only what comes before this cursor.',
  first: 'How many from the start: at most 250.',
  last: 'How many from the end: at most 250.',
  reverse: 'Turns the order round.',
  sortKey: 'What the list is ordered by.',
  query: 'A search in the syntax of this list.',
  savedSearchId: 'A saved search, instead of a query.',
  actor: 'In whose name the change is made. Overwritten while a customer is acting.',
  showRevoked: 'Also payment methods that were revoked.',
  truncateAt: 'At most this many characters.',
};
