/** Something that whoever started the command can mend: one sentence, shown without a stack trace. */
export class Hint extends Error {}
