/**
 * Counts non-standard English in hand-written source: identifiers, comments, test names, file names.
 *   node language-check.mjs [folder …] [--list identifiers|comments|fragments|files]
 *     [--max-identifiers N] [--max-comments-percent P] [--max-fragments N] [--max-files N]
 * Exits with 1 when a count exceeds its limit, or an identifier is counted that RETAINED_IDENTIFIERS does not list. The
 * limits in package.json only ever become smaller.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const splitAtSpaces = (text) => text.trim().split(/\s+/);
const FOLDERS = splitAtSpaces('functions graphql lib infra clients tests sandbox operator tools examples');
const CODE_FILE_PATTERN = /\.(?:[mc]?[jt]sx?|kt|swift)$/;
const TEST_FILE_PATTERN = /\.(?:test|suite|spec)\.[mc]?[jt]s$/;
const SKIPPED_PATH_PATTERN =
  /(?:^|\/)(?:\.[^/.][^/]*|node_modules|generated|released|recorded|vendor|dist|coverage|cdk\.out|__snapshots__)(?:\/|$)|(?:^|\/)(?:phone-)?texts\/(?!en\.)/;

/** Parts of an identifier or file name. `a-b`: these parts in a row. `word@folder`: counted below that folder only. */
const DIALECT_TERMS = splitAtSpaces(`
  told tell tells telling untold said saying speak heard listener@lib listener@graphql words wish wishes wished kept ours
  theirs mine nobody somebody anybody whoever marks marked wake wakes woken placing placer unplaced look looks looked night
  nights rhythm rhythms mend mends mended remedy remedies lack lacks lacking hand-out hand-outs first-hand second-holder
  elsewhere beside meanwhile course courses anew judge judges judged patience debts debtor owed sharer promised spender
  asker asking asked sought wanted held shown forget forgets forgetting forgotten began begun dear life lasting passing
  unparted parted parting least most verb verbs noun lab scene desk postbox weather luck mishap mishaps doer needles habits
  bites sleepers story play plays played thing things repeat repeats repeatable proof@graphql proofs@graphql prove@graphql
  dead@lib alive@lib unsure at-once place-in-stream place-now place-entered place-erased hold-place holds-place is-place
  foreign-change foreign-entries foreign-step customer-share customer-shares nightly-pass sweep-pass mark-family mark-families own-mutation
  own-payload own-selection edit-ahead edits-ahead cycles-ahead again-at again-in give-back in-a-while take-due take-lease
  take-turn take-facts take-pass checked-attempt checked-contract checked-cycle checked-cycles checked-draft checked-owner checked-page`);
/** Whole identifiers. */
const DIALECT_IDENTIFIERS =
  splitAtSpaces(`say Say sayIn sayWith keep keeps keepFor keepOld keepFound isSo isVoid mark Mark which Which who
  whom Whom whose isSure`);
const NOTE_PREFIX_PATTERN = /^(?:create)?[nN]ote(?!Update|Limit|Ms|Line|Bytes|Text|Of|book)[A-Z]/;
/** Standard names with such a word, the platform's names, and attributes that keep their names in the table. */
const STANDARD_IDENTIFIER_PATTERN = new RegExp(
  `^(?:${splitAtSpaces(`
  look-up-\\S* atMost atLeast leastRecently\\w* looksLike\\w* \\w*[lL]ook[uU]p\\w* \\w*EventListener \\w*ListenerHandle RequestListener
  keepAlive\\w* wokenAtMs lookAtMs lookedAtMs lookedId beganAtMs voidAtMs askedBy placedAtMs toldAtMs upcomingTold expiringTold
  isForgotten isPlace handOut confirmedHandOut lateRepeats lateRepeatAtMs turnsAtMs`).join('|')})$`,
);
/** The names that stay, by reason. Each counted identifier is one of them. */
const RETAINED_IDENTIFIERS = Object.entries({
  'attributes of items in the table and its backups':
    'told repeat isPassing purgeMarkedAtMs night editsAhead forgottenAtMs isTold askedAtMs',
  'first words of partition keys, by which rights are granted': 'REPEAT WAKE',
  'values and arguments of the public API': 'changed_elsewhere lookBackDays',
  'keys of sessions that apps have stored': 'lifeMs',
  'the public error class of the Kotlin client': 'isPassing',
  'parameters of messages, which the texts of eight languages name': 'most least rhythm',
  "keys of the phone page's texts, which eight languages have": 'tellShop shownCount',
  'options and JSON output of operator commands, and the exported data of a customer': 'most held who parted',
  "fields of the operators' trace, whose old lines are read": 'verb who',
  'log fields and values of `alarm`, which alarms and saved queries name':
    'asked isPassing night refresh_repeats',
  'control paths of the local stack, which tests of others may call': 'keepOld isHeld weather',
  'the name of an icon: what a repeated order shows': 'repeat',
}).flatMap(([reason, names]) => splitAtSpaces(names).map((name) => ({ reason, name })));
const SENTENCE_START = '(?:^|[.;:!?] |, and )';
const COMMENT_MARKERS = [
  /\b(?:whoever|whomever|nobody|somebody|anybody|everybody)\b/i,
  /\b(?:told|tells?|telling)\b/i,
  /\b(?:wish(?:es|ed)?|hears?|heard|mend(?:s|ed)?|rhythms?|woken|anew|hand-outs?|sought|owes?|owed|dear|ours|theirs)\b/i,
  new RegExp(`${SENTENCE_START}(?:What|Whom|Whose|Whatever|Whichever|Who)\\b(?![^.]*\\?)`),
  new RegExp(
    `${SENTENCE_START}(?:Of (?!course)|Nor |So (?:long|much|many|often) |That (?:none|no|a|an|the) )`,
  ),
  /\b(?:undefined|absent|null|true|false|refused|none|0): (?:it|there|they|nobody|none|nothing|no|not|the|an?|of|every|as|was|has)\b/i,
  /(?<!\bthere )\b(?:is|are|was|were) (?:none|not one)\b/i,
  /\b(?:is|are|was|were|be|been) (?:not )?(?:asked|looked (?:at|after)|waited for)\b|\basked for\b/i,
  /\b(?:came|comes?|becomes?|became) of\b|\bst(?:ands?|ood) (?:for|in|at|there|here|nowhere|so|behind|before|beside|on|under|with)\b/i,
  /\blies (?:in|at|under|ahead|beside|there|here|behind|before)\b|\bgo(?:es)? on (?:with|there|from|behind|until|where|by)\b/i,
  /\ball the same\b|\bfor certain\b/i,
];
const FRAGMENT_START_PATTERN =
  /^…? ?(?:and|or|nor|but|that|who|whose|whom|which|of|as|so|than|then|also|neither)\b/i;
const AUXILIARY_PATTERN = /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|may|must|will|would)\b/;
/** Stems of verbs: a test name has one in the third person, or after a plural. */
const PREDICATE_STEM = `(?:${splitAtSpaces(`
  accept add allow answer appear appl arrive ask begin belong block break bring build call cancel carr catch chang charg check
  claim clos come commit compar contain continu convert cost count cover creat declin delet deliver depend describ differ disabl
  drop encod end equal eras expir explain fail fall fetch fill find finish fit follow forget forward get give go grant hand happen
  hear hide hold identif ignor includ increas inherit install invalidat join keep know lack last lead leav let lie limit list live load
  lock log look lose make match mean measur merg move name need note obtain omit open order outdat outliv overwrit pack page pars
  pass paus pay point prevent print produc protect prov put quot rais reach read receiv record recover redact refer refresh refus
  reject releas remain remov renew repeat replac report request requir resend reset resolv respond restor resum retr return reus
  revok ring rotat run sav say see select send serv set settl shar show sign skip sort speak spend stand start stay stop store
  succeed suffic surviv swap synthesi[sz] tak tell throttl throw touch tr trim turn updat us verif wait wak win work writ yield`).join(
  '|',
)})`;
const PREDICATE_PATTERN = new RegExp(
  String.raw`\b${PREDICATE_STEM}(?:e?s|ies)\b|\b\w+s (?:\w+ ){0,4}${PREDICATE_STEM}[ey]?\b|\b(?:and|or|who|that) \w+ (?:\S+ ){0,3}${PREDICATE_STEM}[ey]?\b`,
  'i',
);
const isFragment = (name) => {
  const text = name.replace(/[%$][\w.]+/g, '');
  return (
    /[a-z]{3}/i.test(text) &&
    (FRAGMENT_START_PATTERN.test(name) || !(AUXILIARY_PATTERN.test(text) || PREDICATE_PATTERN.test(text)))
  );
};
const splitIdentifier = (name) =>
  splitAtSpaces(
    name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/g, '$1$2 ').toLowerCase(),
  );
const termsCountedEverywhere = new Set(DIALECT_TERMS.filter((word) => !/[-@]/.test(word)));
const dialectPhrases = DIALECT_TERMS.filter((word) => word.includes('-')).map((word) => `-${word}-`);
const termsCountedBelowFolder = DIALECT_TERMS.filter((word) => word.includes('@')).map((word) =>
  word.split('@'),
);
function isDialect(name, path) {
  if (STANDARD_IDENTIFIER_PATTERN.test(name)) return false;
  if (DIALECT_IDENTIFIERS.includes(name) || NOTE_PREFIX_PATTERN.test(name)) return true;
  const parts = splitIdentifier(name);
  const joined = `-${parts.join('-')}-`;
  if (
    parts.some((part) => termsCountedEverywhere.has(part)) ||
    dialectPhrases.some((phrase) => joined.includes(phrase))
  )
    return true;
  return termsCountedBelowFolder.some(
    ([word, folder]) => parts.includes(word) && path.split('/').includes(folder),
  );
}
const TOKEN_PATTERN =
  /(?<comment>\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*|\/\*[\s\S]*?\*\/)|(?<name>[A-Za-z_$][\w$]*)|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\d[\w.]*|\s+|[\s\S]/y;
const TEMPLATE_TEXT_PATTERN = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;
const REGULAR_EXPRESSION_PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;
/** Returns the identifiers and comments of a file, each with its line. Skips texts and regular expressions. */
function findNamesAndComments(source) {
  const found = { names: [], comments: [] };
  const braces = [];
  const match = (pattern, at) => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  for (let at = 0, line = 1, before = ''; at < source.length; ) {
    const c = source[at];
    const isTemplate = c === '`' || (c === '}' && braces.at(-1) === '`');
    const mayBeRegExp =
      c === '/' && !/[/*]/.test(source[at + 1]) && /^(?:[(,=:[!&|?{};>]|return|)$/.test(before);
    const token =
      (isTemplate && match(TEMPLATE_TEXT_PATTERN, at)) ||
      (mayBeRegExp && match(REGULAR_EXPRESSION_PATTERN, at)) ||
      match(TOKEN_PATTERN, at);
    const [text] = token;
    const { comment, name } = token.groups ?? {};
    if (comment)
      found.comments.push({
        text: comment.replace(/\s*\n\s*(?:\*|\/\/\/?)?\s*|^\/[/*]+\s*/g, ' ').trim(),
        line,
      });
    if (name && !(before === '.' && source[at + text.length] === '(' && name === 'repeat'))
      found.names.push({ text, line });
    if (c === '}') braces.pop();
    if (isTemplate ? text.endsWith('${') : text === '{') braces.push(c === '{' ? '{' : '`');
    if (text.trim() && !comment) before = isTemplate && text.endsWith('${') ? '{' : text;
    line += text.split('\n').length - 1;
    at += text.length;
  }
  return found;
}
const TEST_NAME_PATTERN =
  /\b(?:test|it)(?:\.(?:only|skip|failing|concurrent))?(?:\.each[\s\S]*?\)\(|(?:<[^>]*>)?\()\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g;
const listTestNames = (source) =>
  [...source.matchAll(TEST_NAME_PATTERN)].map(({ 2: text, index }) => ({
    text,
    line: source.slice(0, index).split('\n').length,
  }));
function* iterateSourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED_PATH_PATTERN.test(path)) continue;
    if (entry.isDirectory()) yield* iterateSourceFiles(path);
    else if (CODE_FILE_PATTERN.test(path)) yield path;
  }
}
const limitNames = ['max-identifiers', 'max-comments-percent', 'max-fragments', 'max-files'];
const options = Object.fromEntries([...limitNames, 'list'].map((name) => [name, { type: 'string' }]));
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const folders = (positionals.length > 0 ? positionals : FOLDERS).filter((folder) => existsSync(folder));
const [findings, checked] = [
  { identifiers: [], comments: [], fragments: [], files: [] },
  { identifiers: 0, comments: 0, fragments: 0, files: 0 },
];
for (const path of folders.flatMap((folder) => [...iterateSourceFiles(folder)])) {
  const source = readFileSync(path, 'utf8');
  const { names, comments } = findNamesAndComments(source);
  const add = (kind, all, isFinding) => {
    checked[kind] += all.length;
    findings[kind].push(
      ...all.filter(({ text }) => isFinding(text)).map((finding) => ({ ...finding, path })),
    );
  };
  add('identifiers', names, (name) => isDialect(name, path));
  add('comments', comments, (text) => COMMENT_MARKERS.some((marker) => marker.test(text)));
  add('fragments', TEST_FILE_PATTERN.test(path) ? listTestNames(source) : [], isFragment);
  add('files', [{ text: path.split('/').at(-1), line: 1 }], (name) =>
    isDialect(name.replace(/\.\w+$/, ''), path),
  );
}
if (checked.files === 0) throw new Error(`No source files in ${folders.join(', ') || 'the given folders'}.`);
const unexplainedIdentifiers = findings.identifiers.filter(
  ({ text }) => !RETAINED_IDENTIFIERS.some(({ name }) => name === text),
);
const commentPercent = (100 * findings.comments.length) / Math.max(1, checked.comments);
for (const [kind, all] of Object.entries(findings)) console.log(`${kind}: ${all.length} of ${checked[kind]}`);
console.log(`comments in percent: ${commentPercent.toFixed(1)}`);
const findingCountByFile = new Map();
for (const { path } of Object.values(findings).flat())
  findingCountByFile.set(path, (findingCountByFile.get(path) ?? 0) + 1);
console.log('Files with the most findings:');
for (const [path, count] of [...findingCountByFile].sort((a, b) => b[1] - a[1]).slice(0, 10))
  console.log(`  ${count}  ${path}`);
for (const { path, line, text } of findings[values.list] ?? []) console.log(`${path}:${line}  ${text}`);
for (const { path, line, text } of unexplainedIdentifiers) {
  console.error(
    `${path}:${line}  ${text}: choose a standard name, or give the reason in RETAINED_IDENTIFIERS.`,
  );
  process.exitCode = 1;
}
const measuredCounts = [
  findings.identifiers.length,
  commentPercent,
  findings.fragments.length,
  findings.files.length,
];
for (const [index, name] of limitNames.entries()) {
  if (!(measuredCounts[index] > Number(values[name] ?? Infinity))) continue;
  console.error(`Above --${name} ${values[name]}.`);
  process.exitCode = 1;
}
